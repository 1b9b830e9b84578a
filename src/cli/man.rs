//! `man`: the manual pages, one for the program and one for each subcommand.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Failure, Outcome, output};
use crate::document::nearest;

/// The arguments of `man`.
#[derive(Args)]
#[command(after_help = "Examples:
  aks-node-controller man | man -l -
  aks-node-controller man generate | man -l -
  aks-node-controller man --out ~/.local/share/man/man1")]
pub struct Manual {
    /// The page of this command; without it, that of the program
    command: Option<String>,
    /// Write every page to a file in this directory, instead of printing one
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

impl Manual {
    pub fn run(&self) -> Outcome {
        let mut program = Cli::command().disable_help_subcommand(true);
        // Gives each subcommand the name of its page.
        program.build();
        let mut commands: Vec<_> =
            program.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
        if let Some(directory) = &self.out {
            commands.push(program);
            let pages = commands.into_iter().map(|command| {
                let page = page(command);
                rendered(&page).map(|text| (page.get_filename(), text))
            });
            let pages: Vec<_> = pages.collect::<Result<_, _>>()?;
            let files: Vec<_> = pages.iter().map(|(name, text)| (Path::new(name), text.as_slice())).collect();
            return output::files_below(directory, &files);
        }
        let Some(name) = &self.command else { return output::bytes(&rendered(&page(program))?) };
        let Some(at) = commands.iter().position(|command| command.get_name() == name) else {
            let hint = match nearest(name, commands.iter().map(clap::Command::get_name)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`aks-node-controller --help` lists the commands".to_owned(),
            };
            return Err(Failure::Usage(format!("there is no command `{name}`: {hint}")));
        };
        output::bytes(&rendered(&page(commands.swap_remove(at)))?)
    }
}

fn page(command: clap::Command) -> Man {
    // A longer name of the manual would not fit between the names of the longest command in 80 columns.
    Man::new(command).manual("AKS").source(concat!("aks-node-controller ", env!("CARGO_PKG_VERSION")))
}

fn rendered(page: &Man) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::Input(format!("cannot render the manual page: {error}")))?;
    Ok(text)
}

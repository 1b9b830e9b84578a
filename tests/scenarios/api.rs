//! The public items of the library, as a user of the crate sees them, so that a change is seen in review.
//!
//! Read from the source by `syn`: modules are followed from `src/lib.rs`, and an item of a private module is listed where it is
//! re-exported. Messages of the contract are left out, for `proto/` has them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, Type, UseTree, Visibility};

use super::ROOT;
use super::snapshots::Snapshots;

/// The path of a module below the crate.
type Module = Vec<String>;

#[test]
fn public_items_are_those_that_are_kept() {
    let library = Library::read();
    let mut snapshots = Snapshots::below("api");
    for module in library.public.clone() {
        let name = if module.is_empty() { "crate".to_owned() } else { module.join("-") };
        snapshots.text(&name, &library.page(&module));
    }
    snapshots.has_no_others();
}

#[derive(Default)]
struct Library {
    modules: BTreeMap<Module, Vec<Item>>,
    public: BTreeSet<Module>,
}

impl Library {
    fn read() -> Self {
        let mut library = Self::default();
        let source = Path::new(ROOT).join("src");
        library.file(&Module::new(), &source.join("lib.rs"), &source, true);
        library
    }

    /// Reads the file of a module, and those of the modules in it, which are below a directory.
    fn file(&mut self, module: &Module, file: &Path, directory: &Path, is_public: bool) {
        let text = fs::read_to_string(file).expect("the compiler has read it");
        let items = syn::parse_file(&text).expect("the compiler accepts it").items;
        for item in &items {
            let Item::Mod(inner) = item else { continue };
            if inner.content.is_some() || attribute(&inner.attrs, "cfg", "test") {
                continue;
            }
            let name = inner.ident.to_string();
            let child = [module.as_slice(), std::slice::from_ref(&name)].concat();
            let is_public = is_public && is_pub(&inner.vis) && !attribute(&inner.attrs, "doc", "hidden");
            let below = directory.join(&name);
            let files = [below.with_extension("rs"), below.join("mod.rs")];
            let file = files.iter().find(|file| file.exists()).expect("the compiler has found it");
            self.file(&child, file, &below, is_public);
        }
        if is_public {
            self.public.insert(module.clone());
        }
        self.modules.insert(module.clone(), items);
    }

    /// Returns the public items of a module.
    fn page(&self, module: &Module) -> String {
        let mut items: Vec<String> = self.modules[module].iter().flat_map(|item| self.shown(module, item)).collect();
        let without_attributes =
            |text: &String| text.lines().filter(|line| !line.starts_with("#[")).collect::<String>();
        items.sort_by_cached_key(without_attributes);
        items.join("\n")
    }

    fn shown(&self, module: &Module, item: &Item) -> Vec<String> {
        match item {
            Item::Use(item) if is_pub(&item.vis) => {
                let mut names = Vec::new();
                flatten(&item.tree, &[], &mut names);
                names.into_iter().flat_map(|(path, name)| self.re_exported(module, &path, &name)).collect()
            }
            Item::Mod(inner) => {
                let child = [module.as_slice(), &[inner.ident.to_string()]].concat();
                if self.public.contains(&child) { vec![format!("pub mod {};\n", inner.ident)] } else { Vec::new() }
            }
            item => self.definition(module, item).into_iter().collect(),
        }
    }

    /// Returns an item that a module re-exports: its definition, or its path if that is public.
    fn re_exported(&self, module: &Module, path: &[String], name: &str) -> Vec<String> {
        let path = self.absolute(module, path);
        let (last, parent) = path.split_last().expect("a path has a name");
        let is_here = |item: &&Item| ident(item).is_some_and(|ident| *ident == **last);
        let parent = parent.to_vec();
        if last == "*" || !self.modules.contains_key(&parent) || self.public.contains(&parent) {
            return vec![format!("pub use {};\n", path.join("::"))];
        }
        let items = &self.modules[&parent];
        if let Some(item) = items.iter().find(is_here) {
            let shown = self.definition(&parent, item).expect("what is re-exported is public");
            assert_eq!(last, name, "an item has one name");
            return vec![shown];
        }
        // The module has it from elsewhere.
        let elsewhere = items.iter().filter_map(|item| if let Item::Use(item) = item { Some(item) } else { None });
        let mut names = Vec::new();
        elsewhere.for_each(|item| flatten(&item.tree, &[], &mut names));
        let (path, _) = names.into_iter().find(|(_, name)| name == last).expect("the compiler accepts it");
        self.re_exported(&parent, &path, name)
    }

    fn absolute(&self, module: &Module, path: &[String]) -> Module {
        let mut from = module.clone();
        let mut rest = path;
        while let [first, more @ ..] = rest {
            match first.as_str() {
                "crate" => from.clear(),
                "super" => drop(from.pop()),
                "self" => {}
                name if rest.len() == path.len() => {
                    let child = [module.as_slice(), &[name.to_owned()]].concat();
                    return if self.modules.contains_key(&child) {
                        [from, rest.to_vec()].concat()
                    } else {
                        rest.to_vec()
                    };
                }
                _ => break,
            }
            rest = more;
        }
        [from, rest.to_vec()].concat()
    }

    /// Returns a public item without what its users do not see, and its methods and traits.
    fn definition(&self, module: &Module, item: &Item) -> Option<String> {
        let (stripped, name) = stripped(item)?;
        let mut text = print(stripped);
        if matches!(item, Item::Struct(_) | Item::Enum(_)) {
            let mut impls = Vec::new();
            for (other, items) in &self.modules {
                if other.first() == module.first() {
                    let of_type = |item: &Item| match item {
                        Item::Impl(item) if names(&item.self_ty, &name) => Some(print_impl(item)),
                        _ => None,
                    };
                    impls.extend(items.iter().filter_map(of_type));
                }
            }
            impls.sort();
            text += &impls.concat();
        }
        Some(text)
    }
}

fn is_pub(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Reports whether one of the attributes has a word among its arguments.
fn attribute(attributes: &[Attribute], name: &str, word: &str) -> bool {
    let has_word = |attribute: &Attribute| attribute.meta.to_token_stream().to_string().contains(word);
    attributes.iter().any(|attribute| attribute.path().is_ident(name) && has_word(attribute))
}

fn flatten(tree: &UseTree, before: &[String], names: &mut Vec<(Vec<String>, String)>) {
    let below = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &below(&path.ident), names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, names)),
        UseTree::Name(name) => names.push((below(&name.ident), name.ident.to_string())),
        UseTree::Rename(name) => names.push((below(&name.ident), name.rename.to_string())),
        UseTree::Glob(_) => names.push(([before, &["*".to_owned()]].concat(), "*".to_owned())),
    }
}

fn ident(item: &Item) -> Option<&syn::Ident> {
    Some(match item {
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Const(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        _ => return None,
    })
}

fn names(of: &Type, name: &str) -> bool {
    let Type::Path(path) = of else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == name)
}

fn of_interest(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| ["derive", "non_exhaustive"].iter().any(|name| attribute.path().is_ident(name)));
}

fn stripped(item: &Item) -> Option<(Item, String)> {
    let mut item = item.clone();
    let (visibility, attributes) = match &mut item {
        Item::Struct(item) => (&item.vis, &mut item.attrs),
        Item::Enum(item) => (&item.vis, &mut item.attrs),
        Item::Fn(item) => (&item.vis, &mut item.attrs),
        Item::Const(item) => (&item.vis, &mut item.attrs),
        Item::Static(item) => (&item.vis, &mut item.attrs),
        Item::Type(item) => (&item.vis, &mut item.attrs),
        Item::Trait(item) => (&item.vis, &mut item.attrs),
        _ => return None,
    };
    if !is_pub(visibility) {
        return None;
    }
    of_interest(attributes);
    let name = ident(&item).expect("these have names").to_string();
    let unknown: syn::Expr = syn::parse_quote!(_);
    match &mut item {
        Item::Struct(item) => public_fields(&mut item.fields),
        Item::Enum(item) => {
            for variant in &mut item.variants {
                variant.attrs.clear();
                variant.fields.iter_mut().for_each(|field| field.attrs.clear());
            }
        }
        Item::Fn(item) => item.block.stmts.clear(),
        Item::Const(item) => *item.expr = unknown,
        Item::Static(item) => *item.expr = unknown,
        Item::Trait(item) => {
            for member in &mut item.items {
                if let TraitItem::Fn(function) = member {
                    function.attrs.clear();
                    function.default.iter_mut().for_each(|body| body.stmts.clear());
                }
            }
        }
        _ => {}
    }
    Some((item, name))
}

/// Keeps what users see; a struct with other fields has one that says so.
fn public_fields(fields: &mut Fields) {
    match fields {
        Fields::Named(fields) => {
            let all = fields.named.len();
            fields.named = std::mem::take(&mut fields.named).into_iter().filter(|field| is_pub(&field.vis)).collect();
            fields.named.iter_mut().for_each(|field| field.attrs.clear());
            if fields.named.len() < all {
                fields.named.push(syn::parse_quote!(private: _));
            }
        }
        Fields::Unnamed(fields) => {
            for field in &mut fields.unnamed {
                field.attrs.clear();
                if !is_pub(&field.vis) {
                    field.ty = syn::parse_quote!(_);
                }
            }
        }
        Fields::Unit => {}
    }
}

/// Returns what an `impl` has for users: its public functions, or the name of the trait.
fn print_impl(item: &ItemImpl) -> String {
    let mut item = item.clone();
    of_interest(&mut item.attrs);
    if item.trait_.is_some() {
        item.items.clear();
        return print(Item::Impl(item));
    }
    item.items.retain(|member| match member {
        ImplItem::Fn(function) => is_pub(&function.vis),
        ImplItem::Const(constant) => is_pub(&constant.vis),
        _ => false,
    });
    if item.items.is_empty() {
        return String::new();
    }
    for member in &mut item.items {
        match member {
            ImplItem::Fn(function) => {
                function.attrs.clear();
                function.block.stmts.clear();
            }
            ImplItem::Const(constant) => {
                constant.attrs.clear();
                constant.expr = syn::parse_quote!(_);
            }
            _ => {}
        }
    }
    print(Item::Impl(item))
}

fn print(item: Item) -> String {
    prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items: vec![item] }).replace(" {}\n", ";\n")
}

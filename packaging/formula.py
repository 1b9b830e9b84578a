#!/usr/bin/env python3
"""formula.py VERSION REPOSITORY_URL ARCHIVE...: prints the formula for Homebrew on Linux."""

import hashlib
import os
import sys

CONDITIONS = {"x86_64": "on_intel", "aarch64": "on_arm"}

FORMULA = """class AksNodeController < Formula
  desc "CustomData and CSE for AKS nodes"
  homepage "{home}"
  version "{version}"
  license "MIT"
  depends_on :linux

{sources}
  def install
    bin.install "aks-node-controller"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/aks-node-controller.bash" => "aks-node-controller"
    zsh_completion.install "completions/_aks-node-controller"
    fish_completion.install "completions/aks-node-controller.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/aks-node-controller version")
  end
end
"""

SOURCE = """  {condition} do
    url "{home}/releases/download/v{version}/{name}"
    sha256 "{digest}"
  end
"""


def main():
    version, home, *archives = sys.argv[1:]
    sources = []
    for path in archives:
        name = os.path.basename(path)
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        condition = next(condition for machine, condition in CONDITIONS.items() if f"-{machine}-" in name)
        sources.append(SOURCE.format(condition=condition, home=home, version=version, name=name, digest=digest))
    print(FORMULA.format(home=home, version=version, sources="\n".join(sources)), end="")


main()

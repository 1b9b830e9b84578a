// Package main only names what is built, so that the requirements of Kubernetes are those of this module.
package main

import _ "k8s.io/kubernetes/cmd/kubelet/app"

func main() {}

// run.sh writes the requirements of each version into a file of its own: this one only marks the module.
module kubelet-facts

go 1.26.0

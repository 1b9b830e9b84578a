# What AKS reserves of such a machine from Kubernetes 1.29 on. What the kubelet of a larger one reserves is more than this one has.
.kubelet_config.kubelet_flags["--kube-reserved"] = "cpu=60m,memory=256Mi,pid=1000"

.pre_provision_only = false

.pre_provision_only = true

# A scale set whose instances become nodes. This file contains the secrets of the node, and so does the state of Terraform.

variable "name" {
  description = "Name of the scale set"
  type        = string
}

variable "resource_group_name" {
  description = "Resource group of the scale set"
  type        = string
}

variable "location" {
  description = "Region, as in the document"
  type        = string
}

variable "vm_size" {
  description = "VM size, as in the document"
  type        = string
}

variable "instance_count" {
  description = "Number of instances"
  type        = number
  default     = 1
}

variable "image_id" {
  description = "Resource id of the image; it can be in a community gallery"
  type        = string
}

variable "subnet_id" {
  description = "Resource id of the subnet"
  type        = string
}

variable "admin_username" {
  description = "Name of the account of the administrator"
  type        = string
  default     = "azureuser"
}

variable "ssh_public_key" {
  description = "Public key of the administrator"
  type        = string
}

resource "azurerm_linux_virtual_machine_scale_set" "nodes" {
  name                = var.name
  resource_group_name = var.resource_group_name
  location            = var.location
  sku                 = var.vm_size
  instances           = var.instance_count
  admin_username      = var.admin_username
  source_image_id     = var.image_id
  overprovision       = false
  upgrade_mode        = "Manual"

  # Already in base64.
  custom_data = sensitive("(CustomData)")

  single_placement_group = false

  admin_ssh_key {
    username   = var.admin_username
    public_key = var.ssh_public_key
  }

  os_disk {
    caching              = "ReadOnly"
    storage_account_type = "StandardSSD_LRS"
  }

  network_interface {
    name                  = "nic"
    primary               = true
    ip_forwarding_enabled = true

    ip_configuration {
      name      = "ipconfig1"
      primary   = true
      subnet_id = var.subnet_id
    }
  }
}

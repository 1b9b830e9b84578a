# The smallest pool: nothing but what a node needs.
.

"""An overview of the installation as it is now, for administrators."""

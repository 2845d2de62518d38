"""Facts about models that their names tell: maker, family, licence and a name for people."""

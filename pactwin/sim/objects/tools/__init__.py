"""Tools of trades, built from the same shapes as other kinds."""

"""Few keys of one window carried to others."""

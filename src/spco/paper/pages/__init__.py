"""What readers see of the reproduction: tables, figures, the HTML page, parts of Markdown pages."""

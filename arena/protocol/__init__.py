"""Every message on the wire, as typed values."""

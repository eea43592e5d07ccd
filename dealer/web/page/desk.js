// The host's desk lives in the section of that name.

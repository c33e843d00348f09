// The size of the terminal that consoles of servers and virtual machines assume, in characters.

export const terminalSize = { width: 80, height: 24 } as const;

/** In characters. */
export const terminalSize = { width: 80, height: 24 } as const;

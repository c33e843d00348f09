// The functions for texts, which the panel shares with the command line.
export * from '#text/text.ts';

// An error of a server command, printed as a sentence on the operator's terminal.
export class CommandError extends Error {}

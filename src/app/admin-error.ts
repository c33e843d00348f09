// What stands in the way of staff at the machine itself, told as a sentence on their terminal.
export class AdminError extends Error {}

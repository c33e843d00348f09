// Escape sequences of the console, as in ssh: a tilde at the start of a line, then a letter.
export type ConsoleInput = { readonly bytes: Buffer } | { readonly command: 'close' | 'break' | 'help' };

const tilde = 0x7e;
const lineEnds = new Set([0x0a, 0x0d]);
const commands = new Map([
  [0x2e, 'close'],
  [0x42, 'break'],
  [0x3f, 'help'],
] as const);

export const escapeHelp = '~.  disconnect\r\n~B  send a break\r\n~~  send a tilde\r\n~?  show this help\r\n';

/** Returns a function that separates escape sequences from other input, however the input is split. */
export function escapeReader(): (chunk: Buffer) => ConsoleInput[] {
  let isAtLineStart = true;
  let hasTilde = false;
  return (chunk) => {
    const inputs: ConsoleInput[] = [];
    let plain: number[] = [];
    const flush = (): void => {
      if (plain.length > 0) inputs.push({ bytes: Buffer.from(plain) });
      plain = [];
    };
    for (const byte of chunk) {
      if (hasTilde) {
        hasTilde = false;
        const command = commands.get(byte as 0x2e);
        if (command !== undefined) {
          flush();
          inputs.push({ command });
          continue;
        }
        plain.push(...(byte === tilde ? [tilde] : [tilde, byte]));
        isAtLineStart = lineEnds.has(byte);
        continue;
      }
      if (isAtLineStart && byte === tilde) hasTilde = true;
      else {
        plain.push(byte);
        isAtLineStart = lineEnds.has(byte);
      }
    }
    flush();
    return inputs;
  };
}

// The way out of a console, as ssh has it: a tilde at the beginning of a line, and a letter.
export type Typed = { readonly bytes: Buffer } | { readonly command: 'close' | 'break' | 'help' };

const tilde = 0x7e;
const returns = new Set([0x0a, 0x0d]);
const commands = new Map([
  [0x2e, 'close'],
  [0x42, 'break'],
  [0x3f, 'help'],
] as const);

export const escapeHelp = '~.  end the console\r\n~B  send a break\r\n~~  a tilde\r\n~?  this help\r\n';

/** Takes what is typed in whatever pieces it comes, and tells it apart. */
export function escapeReader(): (typed: Buffer) => Typed[] {
  let isAtLineStart = true;
  let hasTilde = false;
  return (typed) => {
    const found: Typed[] = [];
    let plain: number[] = [];
    const flush = (): void => {
      if (plain.length > 0) found.push({ bytes: Buffer.from(plain) });
      plain = [];
    };
    for (const byte of typed) {
      if (hasTilde) {
        hasTilde = false;
        const command = commands.get(byte as 0x2e);
        if (command !== undefined) {
          flush();
          found.push({ command });
          continue;
        }
        plain.push(...(byte === tilde ? [tilde] : [tilde, byte]));
        isAtLineStart = returns.has(byte);
        continue;
      }
      if (isAtLineStart && byte === tilde) hasTilde = true;
      else {
        plain.push(byte);
        isAtLineStart = returns.has(byte);
      }
    }
    flush();
    return found;
  };
}

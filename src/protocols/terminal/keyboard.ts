// Converts the keys of a VNC viewer, which are X11 keysyms, to the bytes that a terminal sends for them.
import { nationalCharacter } from './keysyms.ts';

/** Returns what the key types, or undefined if it types nothing. */
export type Keyboard = (keysym: number, move: 'down' | 'up') => string | undefined;

const modifiers: Readonly<Record<number, number>> = {
  0xffe1: 1,
  0xffe2: 1,
  0xffe7: 2,
  0xffe8: 2,
  0xffe9: 2,
  0xffea: 2,
  0xffe3: 4,
  0xffe4: 4,
};
const alt = 2;
const control = 4;

const characters: Readonly<Record<number, string>> = {
  0xff08: '\x7f',
  0xff09: '\t',
  0xff0d: '\r',
  0xff1b: '\x1b',
  0xff80: ' ',
  0xff8d: '\r',
  0xffbd: '=',
};
/** CSI and this letter; SS3 and this letter in application mode. */
const cursorKeys: Readonly<Record<number, string>> = {
  0xff50: 'H',
  0xff51: 'D',
  0xff52: 'A',
  0xff53: 'C',
  0xff54: 'B',
  0xff57: 'F',
  0xff95: 'H',
  0xff96: 'D',
  0xff97: 'A',
  0xff98: 'C',
  0xff99: 'B',
  0xff9c: 'F',
};
/** CSI, this number and a tilde. */
const numberedKeys: Readonly<Record<number, number>> = {
  0xff55: 5,
  0xff56: 6,
  0xff63: 2,
  0xff9a: 5,
  0xff9b: 6,
  0xff9e: 2,
  0xff9f: 3,
  0xffff: 3,
  0xffc2: 15,
  0xffc3: 17,
  0xffc4: 18,
  0xffc5: 19,
  0xffc6: 20,
  0xffc7: 21,
  0xffc8: 23,
  0xffc9: 24,
};
const firstFunctionKey = 0xffbe;
const functionLetters = 'PQRS';
const leftTab = 0xfe20;
const unicode = 0x0100_0000;
const lastCodePoint = 0x10_ffff;
const keypad = { first: 0xffaa, last: 0xffb9, offset: 0xff80 } as const;

export function createKeyboard(isApplicationMode: () => boolean): Keyboard {
  const pressed = new Map<number, number>();
  return (keysym, move) => {
    const modifier = modifiers[keysym];
    if (modifier !== undefined) {
      if (move === 'down') pressed.set(keysym, modifier);
      else pressed.delete(keysym);
      return undefined;
    }
    if (move === 'up') return undefined;
    const active = [...pressed.values()].reduce((sum, value) => sum | value, 0);
    return functionKey(keysym, active, isApplicationMode()) ?? typedCharacter(keysym, active);
  };
}

function functionKey(keysym: number, active: number, isApplicationMode: boolean): string | undefined {
  if (keysym === leftTab || (keysym === 0xff09 && active === 1)) return '\x1b[Z';
  const suffix = active === 0 ? '' : `;${active + 1}`;
  const number = numberedKeys[keysym];
  if (number !== undefined) return `\x1b[${number}${suffix}~`;
  const letter = cursorKeys[keysym] ?? functionLetters[keysym - firstFunctionKey];
  if (letter === undefined) return undefined;
  if (active !== 0) return `\x1b[1${suffix}${letter}`;
  return isApplicationMode || functionLetters.includes(letter) ? `\x1bO${letter}` : `\x1b[${letter}`;
}

function typedCharacter(keysym: number, active: number): string | undefined {
  const character = characterOf(keysym);
  if (character === undefined) return undefined;
  const typed = (active & control) === 0 ? character : withControl(character);
  return (active & alt) === 0 ? typed : `\x1b${typed}`;
}

function characterOf(keysym: number): string | undefined {
  if (characters[keysym] !== undefined) return characters[keysym];
  if (keysym >= keypad.first && keysym <= keypad.last) return String.fromCharCode(keysym - keypad.offset);
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCharCode(keysym);
  const national = nationalCharacter(keysym);
  if (national !== undefined) return national;
  const codePoint = keysym - unicode;
  return codePoint >= 0x20 && codePoint <= lastCodePoint ? String.fromCodePoint(codePoint) : undefined;
}

/** Ctrl with @, A to Z, [, \, ], ^, _ or a space is a control character; other characters stay the same. */
function withControl(character: string): string {
  if (character === ' ') return '\0';
  return /^[@-_a-z]$/.test(character) ? String.fromCharCode(character.charCodeAt(0) & 0x1f) : character;
}

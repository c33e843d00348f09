// Questions. What destroys is asked about first, by name; where there is nobody to ask it is refused, unless the call said yes.
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

export async function confirmed(shell: Shell, question: string, options: { readonly yes?: boolean }): Promise<void> {
  if (options.yes === true) return;
  if (shell.in.isTTY !== true)
    throw new CommandError(`${question} Nobody is there to ask: say --yes to go on.`, exitCodes.declined);
  const answer = await asked(shell, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.', exitCodes.declined);
}

export async function asked(shell: Shell, question: string): Promise<string> {
  shell.err.write(question);
  try {
    return await nextLine(shell.in);
  } finally {
    shell.in.pause();
  }
}

/** What follows the line stays for who asks next. */
async function nextLine(input: Shell['in']): Promise<string> {
  let text = '';
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end < 0) continue;
    if (end + 1 < text.length) input.unshift(Buffer.from(text.slice(end + 1)));
    return text.slice(0, end).replace(/\r$/, '');
  }
  return text;
}

/** The code of an app, which not everybody has. */
export async function askedCode(shell: Shell): Promise<{ readonly code?: string }> {
  const code = (await asked(shell, shell.in.isTTY === true ? 'Code of your app (none yet: Return): ' : '')).trim();
  return code === '' ? {} : { code };
}

/** A secret: not shown while it is typed, or the first line of standard input where that is no terminal. */
export async function askedSecretly(shell: Shell, question: string): Promise<string> {
  if (shell.in.isTTY !== true) return asked(shell, '');
  shell.err.write(question);
  shell.in.setRawMode?.(true);
  try {
    return await typedUntilReturn(shell);
  } finally {
    shell.in.setRawMode?.(false);
    shell.in.pause();
    shell.err.write('\n');
  }
}

const interrupt = '\u0003';
const endOfInput = '\u0004';
const backspaces = new Set(['\u007F', '\b']);

async function typedUntilReturn(shell: Shell): Promise<string> {
  let typed: string[] = [];
  const decoder = new TextDecoder();
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      for (const key of decoder.decode(chunk, { stream: true })) {
        if (key === '\r' || key === '\n' || key === endOfInput) return end(() => resolve(typed.join('')));
        if (key === interrupt) return end(() => reject(new CommandError('Nothing was done.', exitCodes.declined)));
        if (backspaces.has(key)) typed = typed.slice(0, -1);
        else typed.push(key);
      }
    };
    const onEnd = (): void => end(() => resolve(typed.join('')));
    const end = (settle: () => void): void => {
      shell.in.off('data', onData).off('end', onEnd);
      settle();
    };
    shell.in.on('data', onData).on('end', onEnd);
  });
}

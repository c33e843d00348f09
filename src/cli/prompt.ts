// Prompts. Destructive commands ask for confirmation first; if the input is not a terminal they fail unless --yes is given.
import { CommandError, exitCodes } from './exit-codes.ts';
import { stripControls } from './output/text.ts';
import type { Shell } from './shell.ts';

export async function confirm(shell: Shell, question: string, options: { readonly yes?: boolean }): Promise<void> {
  if (options.yes === true) return;
  if (shell.in.isTTY !== true) throw new CommandError(`${question} Not interactive; pass --yes.`, exitCodes.declined);
  const reply = await prompt(shell, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError('Cancelled.', exitCodes.declined);
}

export async function prompt(shell: Shell, question: string): Promise<string> {
  // Names in it may come from others.
  shell.err.write(stripControls(question));
  try {
    return await readLine(shell.in);
  } finally {
    shell.in.pause();
  }
}

/** Leaves what follows the line in the stream for the next prompt. */
async function readLine(input: Shell['in']): Promise<string> {
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

/** Asks for the code of an authenticator app, which not everyone uses. */
export async function promptCode(shell: Shell): Promise<{ readonly code?: string }> {
  const question = 'Authentication code (press Return if not enabled): ';
  const code = (await prompt(shell, shell.in.isTTY === true ? question : '')).trim();
  return code === '' ? {} : { code };
}

/** Asks for a secret without echoing it. If the input is not a terminal, its next line is the secret. */
export async function promptSecret(shell: Shell, question: string): Promise<string> {
  if (shell.in.isTTY !== true) return prompt(shell, '');
  shell.err.write(question);
  shell.in.setRawMode?.(true);
  try {
    return await readKeysUntilReturn(shell);
  } finally {
    shell.in.setRawMode?.(false);
    shell.in.pause();
    shell.err.write('\n');
  }
}

const interrupt = '\u0003';
const endOfInput = '\u0004';
const backspaces = new Set(['\u007F', '\b']);

async function readKeysUntilReturn(shell: Shell): Promise<string> {
  let keys: string[] = [];
  const decoder = new TextDecoder();
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      for (const key of decoder.decode(chunk, { stream: true })) {
        if (key === '\r' || key === '\n' || key === endOfInput) return end(() => resolve(keys.join('')));
        if (key === interrupt) return end(() => reject(new CommandError('Cancelled.', exitCodes.declined)));
        if (backspaces.has(key)) keys = keys.slice(0, -1);
        else keys.push(key);
      }
    };
    const onEnd = (): void => end(() => resolve(keys.join('')));
    const end = (settle: () => void): void => {
      shell.in.off('data', onData).off('end', onEnd);
      settle();
    };
    shell.in.on('data', onData).on('end', onEnd);
  });
}

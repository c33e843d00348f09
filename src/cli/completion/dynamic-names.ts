// Completions that come from the account or the contexts file. Someone is waiting at the prompt, so there is only one short try.
import { createClient } from '#sdk/v2.ts';
import { resolveContext, readContexts } from '../contexts.ts';
import type { Shell } from '../shell.ts';

const timeoutMs = 3000;

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Returns the candidates for an argument or option of this name. */
export async function dynamicNames(name: string, shell: Shell, context: string | undefined): Promise<Candidate[]> {
  const client = async () =>
    createClient({
      ...(await resolveContext(shell, 'customer', context)),
      retry: { attempts: 1 },
      timeoutMs,
    });
  switch (name) {
    case 'shell':
      return ['bash', 'zsh', 'fish'].map((word) => ({ word, about: '' }));
    case 'source':
      return ['pxe', 'cdrom', 'bios'].map((word) => ({ word, about: '' }));
    case 'context':
      return Object.entries((await readContexts(shell)).contexts).map(([word, { url }]) => ({ word, about: url }));
    case 'service':
      return (await (await client()).deviceList()).map(({ service, hostname }) => ({ word: service, about: hostname }));
    case 'zone':
      return (await (await client()).zoneList()).map((zone) => ({ word: zone.name, about: '' }));
    default:
      return [];
  }
}

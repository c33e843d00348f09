// Names for a completion that only the account or the file of contexts knows. Whoever pressed Tab is waiting: one try, soon
// over.
import { createClient } from '#sdk/v2.ts';
import { chosenContext, readContexts } from '../contexts.ts';
import type { Shell } from '../shell.ts';

const patienceMs = 3000;

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** By the name of the argument or option. */
export async function keptNames(name: string, shell: Shell, context: string | undefined): Promise<Candidate[]> {
  const client = async () =>
    createClient({
      ...(await chosenContext(shell, 'customer', context)),
      retry: { attempts: 1 },
      timeoutMs: patienceMs,
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

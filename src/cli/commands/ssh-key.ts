// hostyard ssh-key: public keys that an account keeps for installations.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { notFound } from '../lookup.ts';
import { confirm } from '../prompt.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List saved SSH keys',
    run: async ({ client, print }) => print.table(await client.sshKeyList(), ['id', 'name', 'fingerprint', 'created']),
  }),
  apiCommand({
    usage: 'create <file>',
    summary: 'Save the public key in a file',
    options: (command) => command.option('--name <name>', 'Name of the key (default: the name of the file)'),
    async run({ client, print }, { file }, { name }: { readonly name?: string }) {
      const key = readFileSync(file, 'utf8').trim();
      await print.fields(await client.sshKeyCreate({ name: name ?? basename(file), key }));
    },
  }),
  apiCommand({
    usage: 'delete <id>',
    summary: 'Delete a saved SSH key; servers keep it',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      const key = (await client.sshKeyList()).find((saved) => saved.id === id);
      if (key === undefined) throw notFound('SSH key', id);
      await confirm(shell, `Delete the SSH key ${key.name} (${key.fingerprint})?`, options);
      await print.text(`${await client.sshKeyDelete({ id })}.`);
    },
  }),
];

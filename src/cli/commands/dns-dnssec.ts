// hostyard dns dnssec: whether the name server signs a zone, its keys, and the DS records for the parent zone.
import type { Dnssec } from '#sdk/v2.ts';
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findZone } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';
import type { Entry } from '../command-tree.ts';

type Action = 'rollover' | 'confirm' | 'cancel' | 'withdraw';

export const commands = [
  apiCommand({
    usage: 'status <zone>',
    summary: 'Show whether a zone is signed, its keys and DS records',
    async run(session, args) {
      const { domain_id: domain } = await findZone(session.client, args.zone);
      await printDnssec(session, await session.client.dnssecGet({ domain }));
    },
  }),
  apiCommand({
    usage: 'enable <zone>',
    formerly: 'on',
    summary: 'Start signing a zone',
    async run(session, args) {
      const { domain_id: domain } = await findZone(session.client, args.zone);
      await printDnssec(session, await session.client.dnssecEnable({ domain }));
    },
  }),
  actionCommand('rollover', 'Replace the key of a signed zone'),
  actionCommand('confirm', 'Confirm that the parent zone has the DS record of the new key'),
  actionCommand('cancel', 'Cancel a key rollover and return to the old key'),
  actionCommand('withdraw', 'Ask the parent zone to remove its DS records (CDS)'),
  apiCommand({
    usage: 'disable <zone>',
    formerly: 'off',
    summary: 'Stop signing a zone',
    options: (command) => withYes(command).option('--force', 'Even if the parent zone still has DS records'),
    async run(session, args, options: YesOption & { readonly force?: boolean }) {
      const { domain_id: domain, name } = await findZone(session.client, args.zone);
      await confirm(session.shell, `Stop signing ${name}? Remove its DS records from the parent zone first.`, options);
      await printDnssec(session, await session.client.dnssecDisable({ domain, force: options.force === true }));
    },
  }),
];

function actionCommand(action: Action, summary: string): Entry {
  return apiCommand({
    usage: `${action} <zone>`,
    summary,
    async run(session, { zone }) {
      const { domain_id: domain } = await findZone(session.client, zone);
      await printDnssec(session, await session.client.dnssecAct({ domain, action }));
    },
  });
}

async function printDnssec({ print }: Session, dnssec: Dnssec): Promise<void> {
  const { status, ds, keys = [], cds, rollover, rollover_direction: direction } = dnssec;
  const lines = [
    `status    ${status}`,
    ...ds.map((record) => `DS        ${record}`),
    ...keys.map(({ tag, state }) => `key       ${tag} ${state}`),
    ...(cds === 'delete' ? ['CDS       asks the parent zone to remove its DS records'] : []),
    ...(rollover === undefined ? [] : [`rollover  ${rollover}${direction === 'back' ? ' (being rolled back)' : ''}`]),
  ];
  await print.value(dnssec, () => `${lines.join('\n')}\n`);
}

// hostyard dns dnssec: whether the name server signs a zone, and the DS records for the parent zone.
import type { Zone } from '#sdk/v2.ts';
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findZone } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';

export const commands = [
  apiCommand({
    usage: 'status <zone>',
    summary: 'Show whether a zone is signed, and its DS records',
    run: async (session, { zone }) => callDnssec(session, 'dnssecGet', await findZone(session.client, zone)),
  }),
  apiCommand({
    usage: 'enable <zone>',
    formerly: 'on',
    summary: 'Start signing a zone',
    run: async (session, { zone }) => callDnssec(session, 'dnssecEnable', await findZone(session.client, zone)),
  }),
  apiCommand({
    usage: 'disable <zone>',
    formerly: 'off',
    summary: 'Stop signing a zone',
    options: withYes,
    async run(session, args, options: YesOption) {
      const zone = await findZone(session.client, args.zone);
      const question = `Stop signing ${zone.name}? Remove its DS records from the parent zone first.`;
      await confirm(session.shell, question, options);
      await callDnssec(session, 'dnssecDisable', zone);
    },
  }),
];

async function callDnssec(
  { client, print }: Session,
  operation: 'dnssecGet' | 'dnssecEnable' | 'dnssecDisable',
  { domain_id: domain }: Zone,
): Promise<void> {
  const response = await client[operation]({ domain });
  const { status, ds } = response;
  await print.value(response, () => [`status  ${status}`, ...ds.map((record) => `DS      ${record}`), ''].join('\n'));
}

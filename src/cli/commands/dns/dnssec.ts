// hostyard dns dnssec status, on and off: whether the name server signs a zone, and the DS records for its parent.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

const operations = { status: 'dnssecGet', on: 'dnssecEnable', off: 'dnssecDisable' } as const;

export const define: Define = (command, shell) => {
  const verb = command.name() as keyof typeof operations;
  if (verb === 'off') withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string) => {
    const zone = await zoneNamed(client, name);
    const question = `Sign ${zone.name} no more? Its DS records must be out of the parent zone first.`;
    if (verb === 'off') await confirmed(shell, question, options);
    const answer = await client[operations[verb]]({ domain: zone.domain_id });
    await show.drawn(answer, () =>
      [`status  ${answer.status}`, ...answer.ds.map((ds) => `DS      ${ds}`), ''].join('\n'),
    );
  });
};

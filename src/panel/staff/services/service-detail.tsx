// One service: what it is, on which terms, what runs for it, and what staff can do with it.
import { Alert, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead } from '../../data/read.ts';
import { useStaffPages, watchMs } from '../../data/staff-pages.ts';
import { Answer } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Day } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { DeviceHolds } from '../parts/device-panel.tsx';
import { Facts } from '../parts/facts.tsx';
import { CustomerLink, DeviceLink, WorkflowLink } from '../parts/links.tsx';
import { workName } from '../parts/workflow-steps.tsx';
import { ServiceActions, type Service } from './service-actions.tsx';

const lastShown = 8;

export function ServiceDetail({ id }: { id: string }): JSX.Element {
  const service = useStaffRead('serviceGet', { id }, { everyMs: watchMs });
  return (
    <Answer of={service} lines={10}>
      {(known) => (
        <Stack>
          <Known of={known} />
          <ServiceActions service={known} />
          <Terms of={known} />
          {known.status !== 'Terminated' && (known.server !== '' || known.vmid !== '') && (
            <>
              <Title order={3} size="h5">
                Hold the device back
              </Title>
              <DeviceHolds device={known.server === '' ? `vm-${known.vmid}` : known.server} />
            </>
          )}
          <Ran service={id} />
        </Stack>
      )}
    </Answer>
  );
}

function Known({ of }: { of: Service }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          ['State', <StateBadge key="state" state={of.status} />],
          ['Customer', <CustomerLink key="customer" account={of.account} />],
          ['Product', `${of.name} (${of.type})`],
          ['Server', of.server === '' ? '' : <DeviceLink key="server" device={of.server} />],
          ['Machine', of.vmid === '' ? '' : `vm-${of.vmid}${of.node === '' ? '' : ` on ${of.node}`}`],
          ['Address', of.ip],
          ['Blocks', of.netblocks.length === 0 ? '' : <Code key="blocks">{of.netblocks.join(', ')}</Code>],
          ['Since', <Moment key="created" at={of.created} />],
        ]}
      />
      {of.suspension !== '' && (
        <Alert color="orange" variant="light" title="Suspended by staff">
          {of.suspension}
        </Alert>
      )}
      {of.waiting !== '' && (
        <Alert color="yellow" variant="light" title="Its machine is not there yet">
          {of.waiting}
        </Alert>
      )}
    </>
  );
}

function Terms({ of: { terms } }: { of: Service }): JSX.Element {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        Terms
      </Title>
      {terms.length === 0 && (
        <Text size="sm" c="dimmed">
          It is not billed.
        </Text>
      )}
      {terms.map(({ plan, price, cycle, from, until }) => (
        <Text size="sm" key={`${from} ${plan}`}>
          {plan}: <span className="numbers">{price}</span> every {cycle === '1' ? 'month' : `${cycle} months`}, from{' '}
          <Day on={from} />
          {until !== '' && (
            <>
              {' '}
              until <Day on={until} />
            </>
          )}
        </Text>
      ))}
    </div>
  );
}

function Ran({ service }: { service: string }): JSX.Element {
  const work = useStaffPages('workflowList', { service }, { length: lastShown });
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        Work
      </Title>
      <Answer of={work} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing ran for it yet.
            </Text>
          ) : (
            <Stack gap={6}>
              {all.slice(0, lastShown).map(({ id, name, status, started }) => (
                <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
                  <Text size="sm" truncate>
                    <WorkflowLink id={id}>{workName(name)}</WorkflowLink>
                  </Text>
                  <Group gap="xs" wrap="nowrap">
                    <Text size="xs" c="dimmed">
                      <Moment at={started} ago />
                    </Text>
                    <StateBadge state={status} />
                  </Group>
                </Group>
              ))}
            </Stack>
          )
        }
      </Answer>
    </div>
  );
}

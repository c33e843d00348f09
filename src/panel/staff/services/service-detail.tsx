// One service: details, actions, terms and recent jobs.
import { Alert, Code, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Day } from '../../parts/money.tsx';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeviceRestrictions } from '../parts/device-panel.tsx';
import { Facts } from '../../parts/facts.tsx';
import { CustomerLink, DeviceLink } from '../parts/links.tsx';
import { RecentWork } from '../parts/recent-work.tsx';
import { ServiceActions, type Service } from './service-actions.tsx';

const maxJobs = 8;

export function ServiceDetail({ id }: { id: string }): JSX.Element {
  const query = useStaffRead('serviceGet', { id }, { refetchMs: pollMs });
  return (
    <QueryResult query={query} lines={10}>
      {(service) => (
        <Stack>
          <ServiceDetails service={service} />
          <ServiceActions service={service} />
          <Terms service={service} />
          {service.status !== 'Terminated' && (service.server !== '' || service.vmid !== '') && (
            <>
              <Title order={3} size="h5">
                Restrict device
              </Title>
              <DeviceRestrictions device={service.server === '' ? `vm-${service.vmid}` : service.server} />
            </>
          )}
          <RecentJobs service={id} />
        </Stack>
      )}
    </QueryResult>
  );
}

function ServiceDetails({ service }: { service: Service }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          ['Status', <StateBadge key="state" state={service.status} />],
          ['Customer', <CustomerLink key="customer" account={service.account} />],
          ['Product', `${service.name} (${serviceTypeLabels[service.type]})`],
          ['Server', service.server === '' ? '' : <DeviceLink key="server" device={service.server} />],
          ['VM', service.vmid === '' ? '' : `vm-${service.vmid}${service.node === '' ? '' : ` on ${service.node}`}`],
          ['IP address', service.ip],
          ['Blocks', service.netblocks.length === 0 ? '' : <Code key="blocks">{service.netblocks.join(', ')}</Code>],
          ['Since', <Timestamp key="created" at={service.created} />],
        ]}
      />
      {service.suspension !== '' && (
        <Alert color="orange" variant="light" title="Suspended by staff">
          {service.suspension}
        </Alert>
      )}
      {service.waiting !== '' && <WaitingForMachine service={service} />}
    </>
  );
}

function WaitingForMachine({ service }: { service: Service }): JSX.Element {
  const { id, waiting, detail, attempts, nextattempt, status } = service;
  const denial = usePermissionDenial()('operator:services');
  const retry = useStaffChange('serviceRetry', { successMessage: 'Creating the VM' });
  return (
    <Alert color="yellow" variant="light" title={status === 'Pending' ? 'Waiting for its VM' : 'Problem with its VM'}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{waiting}</Text>
        {detail !== '' && <Code className="wrap-anywhere">{detail}</Code>}
        {attempts !== '0' && (
          <Dimmed size="xs">
            Failed attempts: {attempts}
            {nextattempt !== '' && (
              <>
                {' '}
                · Next: <Timestamp at={nextattempt} isRelative />
              </>
            )}
          </Dimmed>
        )}
        {retry.error !== null && <ErrorAlert error={retry.error} />}
        {status === 'Pending' && (
          <ActionButton
            size="xs"
            variant="default"
            disabledReason={denial}
            loading={retry.isPending}
            onClick={() => retry.mutate({ id })}
          >
            Retry now
          </ActionButton>
        )}
      </Stack>
    </Alert>
  );
}

function Terms({ service: { terms } }: { service: Service }): JSX.Element {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        Terms
      </Title>
      {terms.length === 0 && <Dimmed>Not billed</Dimmed>}
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

function RecentJobs({ service }: { service: string }): JSX.Element {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        Recent jobs
      </Title>
      <RecentWork service={service} limit={maxJobs} />
    </div>
  );
}

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
import { CustomerAmount, CustomerLink, DeviceLink } from '../parts/links.tsx';
import { RecentWork } from '../parts/recent-work.tsx';
import { ServiceActions, type Service } from './service-actions.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

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
                {t('Restrict device')}
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
          [t('Status'), <StateBadge key="state" state={service.status} />],
          [t('Customer'), <CustomerLink key="customer" account={service.account} />],
          [t('Product'), `${service.name} (${serviceTypeLabels[service.type]})`],
          [t('Server'), service.server === '' ? '' : <DeviceLink key="server" device={service.server} />],
          [t('Machine'), machineText(service)],
          [t('IP address'), service.ip],
          [t('Blocks'), service.netblocks.length === 0 ? '' : <Code key="blocks">{service.netblocks.join(', ')}</Code>],
          [t('Since'), <Timestamp key="created" at={service.created} />],
        ]}
      />
      {service.suspension !== '' && (
        <Alert color="orange" variant="light" title={t('Suspended by staff')}>
          {service.suspension}
        </Alert>
      )}
      {service.waiting !== '' && <WaitingForMachine service={service} />}
    </>
  );
}

function machineText({ vmid, node }: Service): string {
  if (vmid === '') return '';
  return node === '' ? `vm-${vmid}` : t('{machine} on {node}', { machine: `vm-${vmid}`, node });
}

function WaitingForMachine({ service }: { service: Service }): JSX.Element {
  const { id, waiting, detail, attempts, nextattempt, status } = service;
  const denial = usePermissionDenial()('operator:services');
  const retry = useStaffChange('serviceRetry', { successMessage: t('Creating the machine') });
  return (
    <Alert
      color="yellow"
      variant="light"
      title={status === 'Pending' ? t('Waiting for its machine') : t('Problem with its machine')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{waiting}</Text>
        {detail !== '' && <Code className="wrap-anywhere">{detail}</Code>}
        {attempts !== '0' && (
          <Dimmed size="xs">
            {nextattempt === ''
              ? t('Failed attempts: {attempts}', { attempts })
              : rich('Failed attempts: {attempts} · Next: {next}', {
                  attempts,
                  next: <Timestamp at={nextattempt} isRelative />,
                })}
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
            {t('Retry now')}
          </ActionButton>
        )}
      </Stack>
    </Alert>
  );
}

function Terms({ service: { account, terms } }: { service: Service }): JSX.Element {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {t('Terms')}
      </Title>
      {terms.length === 0 && <Dimmed>{t('Not billed')}</Dimmed>}
      {terms.map(({ plan, price, cycle, from, until }) => (
        <Text size="sm" key={`${from} ${plan}`}>
          {plan}: <CustomerAmount account={account} amount={price} />{' '}
          {cycle === '1' ? t('every month') : t('every {count} months', { count: cycle })},{' '}
          {until === ''
            ? rich('from {from}', { from: <Day on={from} /> })
            : rich('from {from} until {until}', { from: <Day on={from} />, until: <Day on={until} /> })}
        </Text>
      ))}
    </div>
  );
}

function RecentJobs({ service }: { service: string }): JSX.Element {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {t('Recent jobs')}
      </Title>
      <RecentWork service={service} limit={maxJobs} />
    </div>
  );
}

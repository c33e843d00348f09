// One customer: data, services, keys, work and log.
import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useStaffRead } from '../data/read.ts';
import { useStaffPages } from '../data/staff-pages.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { moneyText } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { PlaceTabs } from '../parts/place-tabs.tsx';
import { StateBadge } from '../parts/state.tsx';
import { CustomerActions } from './customers/customer-actions.tsx';
import type { Customer } from './customers/customer-form.tsx';
import { CustomerKeys } from './customers/customer-keys.tsx';
import { AuditTable } from './parts/audit-table.tsx';
import { Facts } from './parts/facts.tsx';
import { More } from './parts/more.tsx';
import { ServiceTable } from './services/service-table.tsx';
import { WorkflowTable } from './work/workflow-table.tsx';

export function CustomerPage(): JSX.Element {
  const { account } = useParams({ strict: false }) as { account: string };
  const customer = useStaffRead('accountGet', { id: account });
  const known = customer.data;
  return (
    <Page
      title={known === undefined ? `Customer ${account}` : `${known.firstname} ${known.lastname}`}
      about={
        <Group gap="xs">
          {known !== undefined && <StateBadge state={known.status} />}
          Customer {account}
          {known !== undefined && known.companyname !== '' && `, ${known.companyname}`}
        </Group>
      }
      actions={known !== undefined && <CustomerActions customer={known} />}
    >
      <Answer of={customer} lines={8}>
        {(of) => (
          <>
            <Known of={of} />
            <PlaceTabs
              label="Of this customer"
              tabs={[
                { id: 'services', label: `Services ${of.services}`, content: () => <Services account={account} /> },
                { id: 'keys', label: `Keys ${of.keys}`, content: () => <CustomerKeys account={account} /> },
                { id: 'work', label: 'Work', content: () => <Work account={account} /> },
                { id: 'audit', label: 'Audit log', content: () => <AuditTable filter={{ account }} /> },
              ]}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Known({ of }: { of: Customer }): JSX.Element {
  const owes = !of.balance.startsWith('-');
  const address = [of.address1, of.address2, `${of.postcode} ${of.city}`, of.state, of.country];
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <Card>
        <Text size="sm" c="dimmed">
          {owes ? 'Owes' : 'In credit'}
        </Text>
        <Text size="xl" fw={650} className="numbers">
          {moneyText(of.balance.replace(/^-/, ''), '')} {of.currency}
        </Text>
        <Text size="sm" c="dimmed">
          Customer since <Moment at={of.created} />
        </Text>
      </Card>
      <Card>
        <Facts
          facts={[
            ['Email', of.email],
            ['Phone', of.phonenumber],
            ['Address', address.filter((line) => line !== '').join(', ')],
          ]}
        />
      </Card>
      <Card>
        <Facts
          facts={[
            ['Last seen', of.lastlogin === '' ? 'never' : <Moment key="seen" at={of.lastlogin} ago />],
            ['From', of.lastaddress],
            ['Contacts', of.contacts],
          ]}
        />
      </Card>
    </SimpleGrid>
  );
}

function Services({ account }: { account: string }): JSX.Element {
  const services = useStaffPages('serviceList', { account });
  return (
    <Stack>
      <Answer of={services}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="server" title="No services yet" />
          ) : (
            <ServiceTable services={all} customers="known" />
          )
        }
      </Answer>
      <More of={services} />
    </Stack>
  );
}

function Work({ account }: { account: string }): JSX.Element {
  const work = useStaffPages('workflowList', { account });
  return (
    <Stack>
      <Answer of={work}>
        {(all) =>
          all.length === 0 ? <Empty icon="work" title="Nothing ran yet" /> : <WorkflowTable workflows={all} />
        }
      </Answer>
      <More of={work} />
    </Stack>
  );
}

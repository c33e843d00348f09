// One customer: profile, services, money, people, notes, messages, events, jobs and audit log.
import { Card, Group, SimpleGrid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { useStaffPages } from '../data/staff-pages.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { moneyText } from '../parts/money-text.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { FigureCard } from '../parts/figure.tsx';
import { Page } from '../parts/page.tsx';
import { HashTabs } from '../parts/hash-tabs.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { CustomerActions } from './customers/customer-actions.tsx';
import type { Customer } from './customers/customer-form.tsx';
import { CustomerKeys } from './customers/customer-keys.tsx';
import { CustomerMoney } from './customers/customer-money.tsx';
import { CustomerNotes } from './customers/customer-notes.tsx';
import {
  CustomerEvents,
  CustomerInvoices,
  CustomerMail,
  CustomerPeople,
  CustomerRequests,
} from './customers/customer-records.tsx';
import { CustomerPrivacy } from './customers/customer-privacy.tsx';
import { CustomerSupportAccess } from './customers/customer-support-access.tsx';
import { AuditTable } from './parts/audit-table.tsx';
import { Facts } from '../parts/facts.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { ServiceTable } from './services/service-table.tsx';
import { WorkflowTable } from './jobs/workflow-table.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';

export function CustomerPage(): JSX.Element {
  const { account } = useParams({ strict: false }) as { account: string };
  const query = useStaffRead('accountGet', { id: account });
  const customer = query.data;
  return (
    <Page
      breadcrumbs={[{ label: t('Customers'), to: '/staff/customers' }]}
      title={
        customer === undefined ? t('Customer {account}', { account }) : `${customer.firstname} ${customer.lastname}`
      }
      description={
        <Group gap="xs">
          {customer !== undefined && <StateBadge state={customer.status} />}
          {t('Customer {account}', { account })}
          {customer !== undefined && customer.companyname !== '' && `, ${customer.companyname}`}
        </Group>
      }
      actions={customer !== undefined && <CustomerActions customer={customer} />}
    >
      <QueryResult query={query} lines={8}>
        {(details) => (
          <>
            <CustomerDetails customer={details} />
            <HashTabs
              label={t('Customer details')}
              tabs={[
                {
                  id: 'services',
                  label: t('Services {count}', { count: details.services }),
                  content: () => <Services account={account} />,
                },
                { id: 'notes', label: t('Notes'), content: () => <CustomerNotes account={account} /> },
                {
                  id: 'invoices',
                  label: t('Invoices & payments'),
                  content: () => <CustomerInvoices account={account} currency={details.currency} />,
                },
                {
                  id: 'money',
                  label: t('Ledger & dunning'),
                  content: () => <CustomerMoney account={account} currency={details.currency} />,
                },
                { id: 'requests', label: t('Requests'), content: () => <CustomerRequests account={account} /> },
                { id: 'mail', label: t('Email'), content: () => <CustomerMail account={account} /> },
                { id: 'people', label: t('People & sign-ins'), content: () => <CustomerPeople account={account} /> },
                {
                  id: 'keys',
                  label: t('API keys {count}', { count: details.keys }),
                  content: () => <CustomerKeys account={account} />,
                },
                {
                  id: 'support',
                  label: t('Support access'),
                  content: () => <CustomerSupportAccess account={account} />,
                },
                { id: 'events', label: t('Events'), content: () => <CustomerEvents account={account} /> },
                { id: 'privacy', label: t('Privacy'), content: () => <CustomerPrivacy customer={details} /> },
                { id: 'work', label: t('Jobs'), content: () => <Jobs account={account} /> },
                { id: 'audit', label: t('Audit log'), content: () => <AuditTable filter={{ account }} /> },
              ]}
            />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function CustomerDetails({ customer }: { customer: Customer }): JSX.Element {
  const isOwing = !customer.balance.startsWith('-');
  const address = [
    customer.address1,
    customer.address2,
    `${customer.postcode} ${customer.city}`,
    customer.state,
    customer.country,
  ];
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <FigureCard name={isOwing ? t('Balance due') : t('Credit')}>
        {moneyText(customer.balance.replace(/^-/, ''), '')} {customer.currency}
        <Dimmed>{rich('Customer since {date}', { date: <Timestamp at={customer.created} /> })}</Dimmed>
      </FigureCard>
      <Card padding="sm">
        <Facts
          facts={[
            [t('Email'), customer.email],
            [t('Phone'), customer.phonenumber],
            [t('Address'), address.filter((line) => line !== '').join(', ')],
          ]}
        />
      </Card>
      <Card padding="sm">
        <Facts
          facts={[
            [t('Last sign-in'), <Timestamp key="seen" at={customer.lastlogin} isRelative fallback={t('Never')} />],
            [t('From'), customer.lastaddress],
            [t('Contacts'), customer.contacts],
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
      <QueryResult query={services} empty={<EmptyState icon="server" title={t('No services yet')} />}>
        {(all) => <ServiceTable services={all} customerColumn="hidden" />}
      </QueryResult>
      <ShowMore query={services} />
    </Stack>
  );
}

function Jobs({ account }: { account: string }): JSX.Element {
  const workflows = useStaffPages('workflowList', { account });
  return (
    <Stack>
      <QueryResult query={workflows} empty={<EmptyState icon="work" title={t('No jobs yet')} />}>
        {(all) => <WorkflowTable workflows={all} />}
      </QueryResult>
      <ShowMore query={workflows} />
    </Stack>
  );
}

// All customers, searchable by number, name, company or email.
import { useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { CustomerForm } from './customers/customer-form.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { CustomerLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { SearchBar, StatusFilter } from './parts/search-bar.tsx';
import { t } from '../text/text.ts';

const statuses = ['Active', 'Suspended', 'Closed'] as const;
const columns: readonly Column<Row<'accountList'>>[] = [
  { label: t('Number'), isNumber: true, width: 1, cell: ({ id }) => id },
  { label: t('Name'), cell: (customer) => <CustomerName customer={customer} /> },
  { label: t('Email'), className: 'wrap-anywhere', cell: ({ email }) => email },
  { label: t('Country'), cell: ({ country }) => country },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Customer since'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
];

export function CustomersPage(): JSX.Element {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const navigate = useNavigate();
  const denial = usePermissionDenial();
  const customers = useStaffPages('accountList', { search: search || undefined, status });
  return (
    <Page
      title={t('Customers')}
      description={t('All customer accounts')}
      actions={
        <FormButton
          title={t('New customer')}
          dialogSize="lg"
          icon="plus"
          disabledReason={denial('operator:customers')}
          form={(close) => (
            <CustomerForm
              close={close}
              onDone={(account) => void navigate({ to: '/staff/customers/$account', params: { account } as never })}
            />
          )}
        />
      }
    >
      <SearchBar label={t('Search customers')} placeholder={t('Number, name, company, email…')} onSearch={setSearch}>
        <StatusFilter options={statuses} value={status} onChange={setStatus} />
      </SearchBar>
      <PagedTable
        query={customers}
        lines={8}
        shape="table"
        label={t('Customers')}
        columns={columns}
        minWidth={760}
        empty={
          <EmptyCard icon="people" title={t('No customers found')}>
            {t('Change the search, or create a customer.')}
          </EmptyCard>
        }
      />
    </Page>
  );
}

function CustomerName({ customer }: { customer: Row<'accountList'> }): JSX.Element {
  return (
    <>
      <CustomerLink account={customer.id}>
        {customer.firstname} {customer.lastname}
      </CustomerLink>
      {customer.companyname !== '' && <Dimmed size="xs">{customer.companyname}</Dimmed>}
    </>
  );
}

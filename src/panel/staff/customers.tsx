// All customers, searchable by number, name, company or email.
import { Card, Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { CustomerForm } from './customers/customer-form.tsx';
import { FormButton } from './parts/form-button.tsx';
import { CustomerLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { FilterSelect, SearchBar } from './parts/search-bar.tsx';

const statuses = ['Active', 'Suspended', 'Closed'] as const;
const columns = [{ label: 'Number', isNumber: true, width: 1 }, 'Name', 'Email', 'Country', 'Status', 'Customer since'];

export function CustomersPage(): JSX.Element {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const navigate = useNavigate();
  const denial = usePermissionDenial();
  const customers = useStaffPages('accountList', {
    ...(search === '' ? {} : { search }),
    ...(status === undefined ? {} : { status }),
  });
  return (
    <Page
      title="Customers"
      description="All customer accounts"
      actions={
        <FormButton
          title="New customer"
          size="lg"
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={denial('operator:customers')}
          form={(close) => (
            <CustomerForm
              close={close}
              onDone={(account) => void navigate({ to: '/staff/customers/$account', params: { account } as never })}
            />
          )}
        >
          New customer
        </FormButton>
      }
    >
      <SearchBar label="Search customers" placeholder="Number, name, company, email…" onSearch={setSearch}>
        <FilterSelect label="Status" anyLabel="Any status" options={statuses} value={status} onChange={setStatus} />
      </SearchBar>
      <QueryResult query={customers} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="people" title="No customers found" />
            </Card>
          ) : (
            <TableCard label="Customers" columns={columns} minWidth={760}>
              {all.map((customer) => (
                <CustomerRow key={customer.id} customer={customer} />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <ShowMore list={customers} />
    </Page>
  );
}

function CustomerRow({ customer }: { customer: Row<'accountList'> }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td ta="right" className="numbers">
        {customer.id}
      </Table.Td>
      <Table.Td>
        <CustomerLink account={customer.id}>
          {customer.firstname} {customer.lastname}
        </CustomerLink>
        {customer.companyname !== '' && (
          <Text size="xs" c="dimmed">
            {customer.companyname}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="wrap-anywhere">{customer.email}</Table.Td>
      <Table.Td>{customer.country}</Table.Td>
      <Table.Td>
        <StateBadge state={customer.status} />
      </Table.Td>
      <Table.Td>
        <Timestamp at={customer.created} isRelative />
      </Table.Td>
    </Table.Tr>
  );
}

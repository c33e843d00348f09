// Customers: found by number, name, company or email address.
import { Card, Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { CustomerForm } from './customers/customer-form.tsx';
import { FormAct } from './parts/form-act.tsx';
import { CustomerLink } from './parts/links.tsx';
import { More } from './parts/more.tsx';
import { Choice, SearchBar } from './parts/search-bar.tsx';

const statuses = ['Active', 'Suspended', 'Closed'] as const;
const columns = [{ label: 'Number', isNumber: true, width: 1 }, 'Name', 'Email', 'Country', 'State', 'Customer since'];

export function CustomersPage(): JSX.Element {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const navigate = useNavigate();
  const refusal = usePowerRefusal();
  const customers = useStaffPages('accountList', {
    ...(search === '' ? {} : { search }),
    ...(status === undefined ? {} : { status }),
  });
  return (
    <Page
      title="Customers"
      about="Accounts, what they have and what they owe."
      actions={
        <FormAct
          title="New customer"
          size="lg"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('operator:customers')}
          form={(close) => (
            <CustomerForm
              close={close}
              onDone={(account) => void navigate({ to: '/staff/customers/$account', params: { account } as never })}
            />
          )}
        >
          New customer
        </FormAct>
      }
    >
      <SearchBar label="Search customers" placeholder="Number, name, company, email…" onSearch={setSearch}>
        <Choice label="State" any="Any state" options={statuses} value={status} onChange={setStatus} />
      </SearchBar>
      <Answer of={customers} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="people" title="No such customer" />
            </Card>
          ) : (
            <TableCard label="Customers" columns={columns} minWidth={760}>
              {all.map((one) => (
                <CustomerRow key={one.id} of={one} />
              ))}
            </TableCard>
          )
        }
      </Answer>
      <More of={customers} />
    </Page>
  );
}

function CustomerRow({ of }: { of: Row<'accountList'> }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td ta="right" className="numbers">
        {of.id}
      </Table.Td>
      <Table.Td>
        <CustomerLink account={of.id}>
          {of.firstname} {of.lastname}
        </CustomerLink>
        {of.companyname !== '' && (
          <Text size="xs" c="dimmed">
            {of.companyname}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="wrap-anywhere">{of.email}</Table.Td>
      <Table.Td>{of.country}</Table.Td>
      <Table.Td>
        <StateBadge state={of.status} />
      </Table.Td>
      <Table.Td>
        <Moment at={of.created} ago />
      </Table.Td>
    </Table.Tr>
  );
}

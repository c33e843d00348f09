// Requests of customers for addresses: each is approved or refused once, and the customer is told.
import { Card, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange } from '../data/read.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { ReasonAct } from './parts/form-act.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { More } from './parts/more.tsx';

type Request = Row<'requestList'>;
const filters = ['Pending', 'Assigned', 'Refused', 'All'] as const;
const columns = ['Asked for', 'Customer', 'Service', 'Asked', 'State', 'Outcome'];

export function RequestsPage(): JSX.Element {
  const [filter, setFilter] = useState<(typeof filters)[number]>('Pending');
  const requests = useStaffPages('requestList', filter === 'All' ? {} : { status: filter });
  return (
    <Page title="Requests" about="What customers ask for of the address pools.">
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          value={filter}
          onChange={setFilter}
          aria-label="Which requests"
          data={filters.map((value) => ({ value, label: value === 'Pending' ? 'Waiting' : value }))}
        />
      </div>
      <Answer of={requests}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="request" title={filter === 'Pending' ? 'Nobody waits' : 'None'}>
                {filter === 'Pending' && 'Requests of pools that customers have to ask for stand here.'}
              </Empty>
            </Card>
          ) : (
            <TableCard label="Requests" columns={columns} minWidth={860}>
              {all.map((request) => (
                <RequestRow key={request.id} of={request} />
              ))}
            </TableCard>
          )
        }
      </Answer>
      <More of={requests} />
    </Page>
  );
}

function RequestRow({ of }: { of: Request }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>{wanted(of)}</Table.Td>
      <Table.Td>
        <CustomerLink account={of.account} />
      </Table.Td>
      <Table.Td>
        <ServiceLink service={of.service} />
      </Table.Td>
      <Table.Td>
        <Moment at={of.created} ago />
      </Table.Td>
      <Table.Td>
        <StateBadge state={of.status === 'Pending' ? 'Pending' : of.status} />
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        {of.status === 'Pending' ? <Decide of={of} /> : <Text size="sm">{of.netblock || of.reason}</Text>}
      </Table.Td>
    </Table.Tr>
  );
}

function wanted({ family, size }: Request): string {
  return `${family === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}`;
}

function Decide({ of }: { of: Request }): JSX.Element {
  const refusal = usePowerRefusal()('operator:addresses');
  const approve = useStaffChange('requestApprove', { done: 'Assigned.' });
  const refuse = useStaffChange('requestRefuse', { done: 'Refused.' });
  return (
    <Group gap="xs" wrap="nowrap">
      <AskFirst
        size="compact-sm"
        color="yard"
        reason={refusal}
        aria-label={`Approve request ${of.id}`}
        question={`Give service ${of.service} an ${wanted(of)}?`}
        consequence="The first free block of that size is assigned, and the customer is told."
        yes="Assign it"
        act={() => approve.mutateAsync({ id: of.id })}
      >
        Approve
      </AskFirst>
      <ReasonAct
        buttonSize="compact-sm"
        variant="default"
        reason={refusal}
        aria-label={`Refuse request ${of.id}`}
        title={`Refuse the ${wanted(of)} for service ${of.service}?`}
        about="The customer is told the reason."
        yes="Refuse"
        send={(reason) => refuse.mutateAsync({ id: of.id, reason })}
      >
        Refuse
      </ReasonAct>
    </Group>
  );
}

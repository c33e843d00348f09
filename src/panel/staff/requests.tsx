// Customers' requests for IP addresses, to approve or reject.
import { Card, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { ReasonButton } from './parts/form-button.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';

type Request = Row<'requestList'>;
const filters = ['Pending', 'Assigned', 'Refused', 'All'] as const;
const columns = ['Request', 'Customer', 'Service', 'Requested', 'Status', 'Result'];

export function RequestsPage(): JSX.Element {
  const [filter, setFilter] = useState<(typeof filters)[number]>('Pending');
  const requests = useStaffPages('requestList', filter === 'All' ? {} : { status: filter });
  return (
    <Page title="Requests" description="Customer requests for IP addresses">
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          value={filter}
          onChange={setFilter}
          aria-label="Filter by status"
          data={filters.map((value) => ({ value, label: value === 'Refused' ? 'Rejected' : value }))}
        />
      </div>
      <QueryResult query={requests}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="request" title={filter === 'Pending' ? 'No pending requests' : 'No requests'}>
                {filter === 'Pending' && 'Requests that need your approval appear here.'}
              </EmptyState>
            </Card>
          ) : (
            <TableCard label="Requests" columns={columns} minWidth={860}>
              {all.map((request) => (
                <RequestRow key={request.id} request={request} />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <ShowMore list={requests} />
    </Page>
  );
}

function RequestRow({ request }: { request: Request }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>{requestText(request)}</Table.Td>
      <Table.Td>
        <CustomerLink account={request.account} />
      </Table.Td>
      <Table.Td>
        <ServiceLink service={request.service} />
      </Table.Td>
      <Table.Td>
        <Timestamp at={request.created} isRelative />
      </Table.Td>
      <Table.Td>
        <StateBadge state={request.status === 'Refused' ? 'Rejected' : request.status} />
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        {request.status === 'Pending' ? (
          <DecisionButtons request={request} />
        ) : (
          <Text size="sm">{request.netblock || request.reason}</Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function requestText({ family, size }: Request): string {
  return `${family === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}`;
}

function DecisionButtons({ request }: { request: Request }): JSX.Element {
  const denial = usePermissionDenial()('operator:addresses');
  const approve = useStaffChange('requestApprove', { successMessage: 'Request approved' });
  const reject = useStaffChange('requestRefuse', { successMessage: 'Request rejected' });
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        size="compact-sm"
        color="brand"
        disabledReason={denial}
        aria-label={`Approve request ${request.id}`}
        question={`Assign an ${requestText(request)} to service ${request.service}?`}
        consequence="The first free block of this size is assigned and the customer is notified."
        confirmLabel="Approve"
        onConfirm={() => approve.mutateAsync({ id: request.id })}
      >
        Approve
      </ConfirmButton>
      <ReasonButton
        buttonSize="compact-sm"
        variant="default"
        disabledReason={denial}
        aria-label={`Reject request ${request.id}`}
        title={`Reject the ${requestText(request)} for service ${request.service}?`}
        description="The customer sees the reason."
        confirmLabel="Reject"
        onConfirm={(reason) => reject.mutateAsync({ id: request.id, reason })}
      >
        Reject
      </ReasonButton>
    </Group>
  );
}

// Customers' requests for IP addresses, to approve or reject.
import { Group, SegmentedControl } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { ReasonButton } from '../parts/form-button.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';

type Request = Row<'requestList'>;
const filters = ['Pending', 'Assigned', 'Refused', 'All'] as const;
const columns: readonly Column<Request>[] = [
  { label: 'Request', cell: requestText },
  { label: 'Customer', cell: ({ account }) => <CustomerLink account={account} /> },
  { label: 'Service', cell: ({ service }) => <ServiceLink service={service} /> },
  { label: 'Requested', cell: ({ created }) => <Timestamp at={created} isRelative /> },
  { label: 'Status', cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
  {
    label: 'Result',
    className: 'wrap-anywhere',
    cell: (request) =>
      request.status === 'Pending' ? <DecisionButtons request={request} /> : request.netblock || request.reason,
  },
];

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
      <QueryResult
        query={requests}
        empty={
          <EmptyCard icon="request" title={filter === 'Pending' ? 'No pending requests' : 'No requests'}>
            {filter === 'Pending' && 'Requests that need your approval appear here.'}
          </EmptyCard>
        }
      >
        {(all) => <TableCard label="Requests" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={860} />}
      </QueryResult>
      <ShowMore query={requests} />
    </Page>
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
      />
      <ReasonButton
        size="compact-sm"
        variant="default"
        disabledReason={denial}
        aria-label={`Reject request ${request.id}`}
        title={`Reject the ${requestText(request)} for service ${request.service}?`}
        description="The customer sees the reason."
        confirmLabel="Reject"
        onConfirm={(reason) => reject.mutateAsync({ id: request.id, reason })}
      />
    </Group>
  );
}

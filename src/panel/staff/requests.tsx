// Customers' requests for IP addresses, to approve or reject.
import { Group } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { ReasonButton } from '../parts/form-button.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { StatusTabs } from './parts/search-bar.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { t, tData } from '../text/text.ts';

type Request = Row<'requestList'>;
const filters = ['Pending', 'Assigned', 'Refused', 'All'] as const;
const columns: readonly Column<Request>[] = [
  { label: t('Request'), cell: requestText },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
  { label: t('Requested'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
  {
    label: t('Result'),
    className: 'wrap-anywhere',
    cell: (request) =>
      request.status === 'Pending' ? <DecisionButtons request={request} /> : request.netblock || request.reason,
  },
];

export function RequestsPage(): JSX.Element {
  const [filter, setFilter] = useState<(typeof filters)[number]>('Pending');
  const requests = useStaffPages('requestList', filter === 'All' ? {} : { status: filter });
  return (
    <Page title={t('Requests')} description={t('Customer requests for IP addresses')}>
      <StatusTabs
        value={filter}
        onChange={setFilter}
        data={filters.map((value) => ({ value, label: value === 'Refused' ? t('Rejected') : tData(value) }))}
      />
      <PagedTable
        query={requests}
        label={t('Requests')}
        columns={columns}
        minWidth={860}
        empty={
          <EmptyCard icon="request" title={filter === 'Pending' ? t('No pending requests') : t('No requests')}>
            {filter === 'Pending' && t('Requests that need your approval appear here.')}
          </EmptyCard>
        }
      />
    </Page>
  );
}

function requestText({ family, size }: Request): string {
  return `${family === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}`;
}

function DecisionButtons({ request }: { request: Request }): JSX.Element {
  const denial = usePermissionDenial()('operator:addresses');
  const approve = useStaffChange('requestApprove', { successMessage: t('Request approved') });
  const reject = useStaffChange('requestRefuse', { successMessage: t('Request rejected') });
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        size="compact-sm"
        color="brand"
        disabledReason={denial}
        aria-label={t('Approve request {id}', { id: request.id })}
        question={t('Assign an {block} to service {service}?', {
          block: requestText(request),
          service: request.service,
        })}
        consequence={t('The first free block of this size is assigned and the customer is notified.')}
        confirmLabel={t('Approve')}
        onConfirm={() => approve.mutateAsync({ id: request.id })}
      />
      <ReasonButton
        isInRow
        disabledReason={denial}
        aria-label={t('Reject request {id}', { id: request.id })}
        title={t('Reject the {block} for service {service}?', {
          block: requestText(request),
          service: request.service,
        })}
        description={t('The customer sees the reason.')}
        confirmLabel={t('Reject')}
        onConfirm={(reason) => reject.mutateAsync({ id: request.id, reason })}
      />
    </Group>
  );
}

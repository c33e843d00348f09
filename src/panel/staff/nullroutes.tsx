// Null routes of all customers, in their desired state and as last seen on the router.
import type { JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { AddNullRouteButton, NullRouteTable } from './parts/null-routes.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { t } from '../text/text.ts';

const noNullRoutes = (
  <EmptyCard icon="shield" title={t('No null routes')}>
    {t('All customer addresses are reachable.')}
  </EmptyCard>
);

export function NullRoutesPage(): JSX.Element {
  const nullroutes = useStaffPages('nullrouteList', {});
  return (
    <Page
      title={t('Null routes')}
      description={t('Addresses whose traffic is dropped by the network')}
      actions={<AddNullRouteButton />}
    >
      <QueryResult query={nullroutes} empty={noNullRoutes}>
        {(all) => <NullRouteTable rows={all} />}
      </QueryResult>
      <ShowMore query={nullroutes} />
    </Page>
  );
}

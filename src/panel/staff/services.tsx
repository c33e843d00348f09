// Services of all customers.
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { serviceTypeLabels } from '../parts/service-types.ts';
import { FormButton } from '../parts/form-button.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { FilterSelect, SearchBar, StatusFilter } from './parts/search-bar.tsx';
import { ProvisionForm } from './services/provision-form.tsx';
import { ServiceDetail } from './services/service-detail.tsx';
import { ServiceTable } from './services/service-table.tsx';
import { t } from '../text/text.ts';

const types = ['dedicated', 'vps', 'cloud'] as const;
const statuses = ['Pending', 'Active', 'Suspended', 'Terminated'] as const;

export function ServicesPage(): JSX.Element {
  const [search, setSearch] = useState('');
  const [type, setType] = useState<(typeof types)[number]>();
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const item = useOpenItem();
  const denial = usePermissionDenial();
  const services = useStaffPages('serviceList', { search: search || undefined, type, status });
  return (
    <Page
      title={t('Services')}
      description={t('All customer services')}
      actions={
        <FormButton
          title={t('New service')}
          dialogSize="lg"
          icon="plus"
          disabledReason={denial('operator:services')}
          form={(done) => <ProvisionForm close={done} onCreated={item.open} />}
        />
      }
    >
      <SearchBar
        label={t('Search services')}
        placeholder={t('Number, hostname, address, server…')}
        onSearch={setSearch}
      >
        <FilterSelect
          label={t('Type')}
          anyLabel={t('Any type')}
          options={types}
          labels={serviceTypeLabels}
          value={type}
          onChange={setType}
        />
        <StatusFilter options={statuses} value={status} onChange={setStatus} />
      </SearchBar>
      <QueryResult
        query={services}
        lines={8}
        shape="table"
        empty={
          <EmptyCard icon="server" title={t('No services found')}>
            {t('Change the search, or provision a service for a customer.')}
          </EmptyCard>
        }
      >
        {(all) => <ServiceTable services={all} customerColumn="visible" />}
      </QueryResult>
      <ShowMore query={services} />
      <ItemDrawer item={item} title={t('Service {id}', { id: item.openId ?? '' })}>
        {(id) => <ServiceDetail id={id} />}
      </ItemDrawer>
    </Page>
  );
}

// Services of all customers: found, provisioned, suspended, resumed and ended.
import { Card, Drawer } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { Icon } from '../shell/icons.tsx';
import { FormAct } from './parts/form-act.tsx';
import { More } from './parts/more.tsx';
import { useOpened } from './parts/opened.ts';
import { Choice, SearchBar } from './parts/search-bar.tsx';
import { ProvisionForm } from './services/provision-form.tsx';
import { ServiceDetail } from './services/service-detail.tsx';
import { ServiceTable } from './services/service-table.tsx';

const types = ['dedicated', 'vps', 'cloud'] as const;
const statuses = ['Pending', 'Active', 'Suspended', 'Terminated'] as const;

export function ServicesPage(): JSX.Element {
  const [search, setSearch] = useState('');
  const [type, setType] = useState<(typeof types)[number]>();
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const { opened, open, close } = useOpened();
  const refusal = usePowerRefusal();
  const services = useStaffPages('serviceList', {
    ...(search === '' ? {} : { search }),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
  });
  return (
    <Page
      title="Services"
      about="What customers have, from the first day to the last."
      actions={
        <FormAct
          title="Provision a service"
          size="lg"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('operator:services')}
          form={(done) => (
            <ProvisionForm
              close={done}
              onMade={(service) => {
                done();
                open(service);
              }}
            />
          )}
        >
          Provision
        </FormAct>
      }
    >
      <SearchBar label="Search services" placeholder="Number, host name, address, server…" onSearch={setSearch}>
        <Choice label="Kind" any="Any kind" options={types} value={type} onChange={setType} />
        <Choice label="State" any="Any state" options={statuses} value={status} onChange={setStatus} />
      </SearchBar>
      <Answer of={services} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="server" title="No such service" />
            </Card>
          ) : (
            <ServiceTable services={all} customers="shown" />
          )
        }
      </Answer>
      <More of={services} />
      <Drawer
        opened={opened !== undefined}
        onClose={close}
        position="right"
        size="lg"
        title={`Service ${opened ?? ''}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== undefined && <ServiceDetail id={opened} />}
      </Drawer>
    </Page>
  );
}

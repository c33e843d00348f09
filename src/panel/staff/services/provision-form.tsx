// Provisions a new service by picking: a customer, a plan, a free server or a template and a hypervisor. Before anything
// happens, it shows the addresses and invoices.
import { Alert, Fieldset, Loader, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { JSX } from 'react';
import type { Methods, ServiceProvisionInput } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { Facts } from '../../parts/facts.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Day } from '../../parts/money.tsx';
import { ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { t } from '../../text/text.ts';
import { memoryText } from '../../parts/traffic-units.ts';
import { amountText } from '../money/amounts.ts';
import { CustomerSelect } from '../parts/customer-select.tsx';

export interface ProvisionFormProps {
  readonly close: () => void;
  readonly onCreated: (service: string) => void;
}

type Options = Awaited<ReturnType<Methods['serviceOptions']>>;
type Invoice = Awaited<ReturnType<Methods['servicePreview']>>['first'];

const initialValues = {
  account: '',
  type: 'dedicated' as ServiceProvisionInput['type'],
  plan: '',
  hostname: '',
  size: '/30',
  model: '',
  server: '',
  template: '',
  node: '',
  vcpus: '1',
  memorymb: '2048',
  diskgb: '20',
};
type Values = typeof initialValues;
type Fields = ReturnType<typeof useFormFields<Values>>;

const sizes = ['/32', '/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64'];
const cpuCounts = ['1', '2', '4', '6', '8', '12', '16', '24', '32', '48', '64'];
const memorySizes = ['512', '1024', '2048', '4096', '8192', '16384', '32768', '65536', '131072', '262144'];
const diskSizes = ['10', '20', '40', '80', '160', '320', '640', '1280', '2560'];
const priceTexts = {
  monthly: (amount: string) => t('{amount} per month', { amount }),
  quarterly: (amount: string) => t('{amount} per quarter', { amount }),
  yearly: (amount: string) => t('{amount} per year', { amount }),
} as const;

export function ProvisionForm(props: ProvisionFormProps): JSX.Element {
  const options = useStaffRead('serviceOptions', {});
  return (
    <QueryResult query={options} lines={8}>
      {(choices) => <PickingForm {...props} options={choices} />}
    </QueryResult>
  );
}

function PickingForm({ close, onCreated, options }: ProvisionFormProps & { options: Options }): JSX.Element {
  const fields = useFormFields(initialValues);
  const provision = useStaffChange('serviceProvision', { successMessage: t('Provisioning started') });
  const { values, set, input } = fields;
  const isMachine = values.type !== 'dedicated';
  const order = orderOf(values);
  const [preview] = useDebouncedValue(order, 400);
  return (
    <Form
      fields={fields}
      submitLabel={t('Provision')}
      disabledReason={
        order === undefined
          ? t('Choose the customer, the plan and the equipment, and enter a full hostname.')
          : undefined
      }
      onCancel={close}
      onSubmit={async () => {
        const { service } = await provision.mutateAsync(order!);
        close();
        onCreated(service);
      }}
    >
      <SegmentedControl
        aria-label={t('Type')}
        data={Object.entries(serviceTypeLabels).map(([value, label]) => ({ value, label }))}
        value={values.type}
        onChange={(type) => set({ type: type as Values['type'] })}
        fullWidth
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <CustomerSelect
          value={fields.values.account}
          onChange={(account) => fields.set({ account })}
          error={fields.errorOf('account')}
        />
        <PickSelect
          fields={fields}
          name="plan"
          label={t('Plan')}
          options={options.plans.map(({ name, price, currency, cycle }) => ({
            value: name,
            label: `${name}: ${priceTexts[cycle](amountText(price, currency))}`,
          }))}
          nothing={t('The site file has no plans')}
          alsoSet={(picked) => sizeOf(options.plans.find(({ name }) => name === picked))}
        />
        <TextInput label={t('Hostname')} required placeholder="web1.example.net" {...input('hostname')} />
        <PickSelect
          fields={fields}
          name="size"
          label={t('IP addresses')}
          options={sizes.map((value) => ({ value, label: value === '/64' ? 'IPv6 /64' : `IPv4 ${value}` }))}
        />
      </SimpleGrid>
      {isMachine ? (
        <MachineFields fields={fields} options={options} />
      ) : (
        <ServerFields fields={fields} options={options} />
      )}
      {preview !== undefined && order !== undefined && <Preview order={preview} />}
    </Form>
  );
}

/** Returns what a machine on the plan gets, if the plan has a size. */
function sizeOf(plan: Options['plans'][number] | undefined): Partial<Values> {
  if (plan === undefined || plan.vcpus === '') return {};
  const { vcpus, memorymb, diskgb, size } = plan;
  return { vcpus, memorymb, diskgb, size };
}

/** Returns undefined until everything is chosen. The name of the service, on invoices, is that of its plan. */
function orderOf(values: Values): ServiceProvisionInput | undefined {
  const { account, type, plan, size, server, template, node, vcpus, memorymb, diskgb } = values;
  const hostname = values.hostname.trim();
  if (account === '' || plan === '' || !/^[^.\s]+(?:\.[^.\s]+)+$/.test(hostname)) return undefined;
  const common = { account, type, name: plan, plan, hostname, size } as const;
  if (type === 'dedicated') return server === '' ? undefined : ({ ...common, server } as ServiceProvisionInput);
  if (template === '') return undefined;
  return {
    ...common,
    template,
    vcpus: Number(vcpus),
    memorymb: Number(memorymb),
    diskgb: Number(diskgb),
    ...(node === '' ? {} : { node }),
  } as ServiceProvisionInput;
}

interface PickSelectProps {
  readonly fields: Fields;
  readonly name: Exclude<keyof Values, 'type'>;
  readonly label: string;
  readonly description?: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  /** Said if there is nothing to pick. */
  readonly nothing?: string;
  readonly isOptional?: true;
  /** Shown if an optional one is not chosen. */
  readonly placeholder?: string;
  /** Returns the values that follow from the one that is picked. */
  readonly alsoSet?: (picked: string) => Partial<Values>;
}

function PickSelect(pickProps: PickSelectProps): JSX.Element {
  const { fields, name, label, options, nothing, isOptional, alsoSet, ...props } = pickProps;
  const value = fields.values[name];
  return (
    <Select
      label={label}
      required={isOptional !== true}
      searchable
      data={[...options]}
      {...(options.length === 0 && nothing !== undefined && { description: nothing })}
      {...props}
      nothingFoundMessage={t('No results')}
      value={value === '' ? null : value}
      onChange={(picked) => fields.set({ ...alsoSet?.(picked ?? ''), [name]: picked ?? '' } as Partial<Values>)}
      error={fields.errorOf(name)}
      clearable={isOptional === true}
      clearButtonProps={{ 'aria-label': t('Clear: {field}', { field: label }) }}
      allowDeselect={false}
    />
  );
}

function ServerFields({ fields, options }: { fields: Fields; options: Options }): JSX.Element {
  const chosen = options.models.find(({ model }) => model === fields.values.model);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={t('Model')}
        required
        description={options.models.length === 0 ? t('No free servers') : undefined}
        data={options.models.map(({ model, free }) => ({
          value: model,
          label: t('{model} ({free} free)', { model, free }),
        }))}
        value={fields.values.model === '' ? null : fields.values.model}
        onChange={(model) => {
          const [first = ''] = options.models.find((entry) => entry.model === model)?.servers ?? [];
          fields.set({ model: model ?? '', server: first });
        }}
        allowDeselect={false}
      />
      <PickSelect
        fields={fields}
        name="server"
        label={t('Server')}
        options={(chosen?.servers ?? []).map((value) => ({ value, label: value }))}
        nothing={t('Choose a model first')}
      />
    </SimpleGrid>
  );
}

function MachineFields({ fields, options }: { fields: Fields; options: Options }): JSX.Element {
  const { template, vcpus, memorymb, diskgb } = fields.values;
  const kind = options.templates.find(({ value }) => value === template)?.kind;
  const nodes = options.nodes.filter(({ kinds }) => kind === undefined || kinds.includes(kind));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <PickSelect
        fields={fields}
        name="template"
        label={t('System')}
        options={options.templates.map(({ value, name }) => ({ value, label: name }))}
        nothing={t('The site file has no templates')}
      />
      <PickSelect
        fields={fields}
        name="node"
        label={t('Hypervisor')}
        isOptional
        placeholder={t('The one with the most free memory')}
        options={nodes.map((node) => ({
          value: node.name,
          label: `${node.name}: ${capacityText(node)}`,
          disabled:
            node.error !== '' || Number(node.memorymb) < Number(memorymb) || Number(node.diskgb) < Number(diskgb),
        }))}
      />
      <PickSelect
        fields={fields}
        name="vcpus"
        label="vCPUs"
        options={withValue(cpuCounts, vcpus).map((value) => ({ value, label: value }))}
      />
      <PickSelect
        fields={fields}
        name="memorymb"
        label={t('Memory')}
        options={withValue(memorySizes, memorymb).map((value) => ({ value, label: memoryText(value) }))}
      />
      <PickSelect
        fields={fields}
        name="diskgb"
        label={t('Disk')}
        options={withValue(diskSizes, diskgb).map((value) => ({ value, label: `${value} GB` }))}
      />
    </SimpleGrid>
  );
}

/** A plan can have a size that is not in the list. */
function withValue(sizes: readonly string[], value: string): string[] {
  return [...new Set([...sizes, value])].toSorted((left, right) => Number(left) - Number(right));
}

function capacityText({ memorymb, diskgb, error }: Options['nodes'][number]): string {
  return error === ''
    ? t('{memory} memory and {disk} GB disk free', { memory: memoryText(memorymb), disk: diskgb })
    : t('not responding');
}

function Preview({ order }: { order: ServiceProvisionInput }): JSX.Element {
  const { data, error, isFetching } = useStaffRead('servicePreview', order);
  if (error !== null) return <ErrorAlert error={error} />;
  if (data === undefined) return isFetching ? <Loader size="sm" aria-label={t('Computing the preview')} /> : <></>;
  const { netblock, ip, first, next, currency } = data;
  return (
    <Fieldset legend={t('Preview')}>
      <Stack gap="sm">
        <Facts
          facts={[
            [t('Addresses'), netblock],
            [t('Main address'), ip],
          ]}
        />
        {first.date === '' ? (
          <Alert variant="light">{t('The service is not billed.')}</Alert>
        ) : (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <PreviewedInvoice title={t('First invoice')} invoice={first} currency={currency} />
            {next.date !== '' && <PreviewedInvoice title={t('Next invoice')} invoice={next} currency={currency} />}
          </SimpleGrid>
        )}
      </Stack>
    </Fieldset>
  );
}

interface PreviewedInvoiceProps {
  readonly title: string;
  readonly invoice: Invoice;
  readonly currency: string;
}

function PreviewedInvoice({ title, invoice, currency }: PreviewedInvoiceProps): JSX.Element {
  const amount = (text: string): string => amountText(text, currency);
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Facts
        facts={[
          [t('Date'), <Day key="date" on={invoice.date} />],
          ...invoice.lines.map((line) => [line.description, amount(line.amount)] as const),
          [t('Tax'), amount(invoice.tax)],
          [t('Total'), amount(invoice.total)],
        ]}
      />
    </section>
  );
}

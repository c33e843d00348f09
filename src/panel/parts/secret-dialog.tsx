// The dialog for items with a secret: create, edit or rotate one, then show the new secret once.
import { Modal, type ModalProps } from '@mantine/core';
import { useState, type ComponentType, type JSX, type ReactNode } from 'react';
import { NewSecret } from './new-secret.tsx';
import { RotateForm, type RotateFormProps } from './rotate-form.tsx';

type DialogStep<Item> =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate'; readonly item: Item }
  | { readonly kind: 'reveal'; readonly secret: string };

export interface SecretDialogControl<Item> {
  readonly step: DialogStep<Item> | undefined;
  create(): void;
  edit(item: Item): void;
  rotate(item: Item): void;
  reveal(secret: string): void;
  close(): void;
}

export function useSecretDialog<Item>(): SecretDialogControl<Item> {
  const [step, setStep] = useState<DialogStep<Item>>();
  return {
    step,
    create: () => setStep({ kind: 'create' }),
    edit: (item) => setStep({ kind: 'edit', item }),
    rotate: (item) => setStep({ kind: 'rotate', item }),
    reveal: (secret) => setStep({ kind: 'reveal', secret }),
    close: () => setStep(undefined),
  };
}

/** Props of a form that creates an item, or edits the one it is given. */
export interface SecretFormProps<Item> {
  readonly item?: Item;
  readonly close: () => void;
  /** Called with the new secret, which is shown next. */
  readonly onCreated: (secret: string) => void;
}

export interface SecretDialogProps<Item> {
  readonly control: SecretDialogControl<Item>;
  readonly titles: {
    readonly create: string;
    readonly edit: (item: Item) => string;
    readonly rotate: (item: Item) => string;
    readonly reveal: string;
  };
  readonly form: ComponentType<SecretFormProps<Item>>;
  readonly formSize: NonNullable<ModalProps['size']>;
  readonly rotation: (item: Item) => Pick<RotateFormProps, 'description' | 'label' | 'rotate'>;
  readonly secretLabel: string;
  /** Instructions shown below the secret. */
  readonly children: ReactNode;
}

export function SecretDialog<Item>(props: SecretDialogProps<Item>): JSX.Element {
  const { control, titles, form: Form, formSize, rotation } = props;
  const { step, close, reveal } = control;
  return (
    <Modal
      opened={step !== undefined}
      onClose={close}
      title={titleOf(step, titles)}
      size={step?.kind === 'create' || step?.kind === 'edit' ? formSize : 'md'}
      // A stray click must not lose what was typed or a secret that is shown only once.
      closeOnClickOutside={false}
    >
      {step?.kind === 'create' && <Form close={close} onCreated={reveal} />}
      {step?.kind === 'edit' && <Form item={step.item} close={close} onCreated={reveal} />}
      {step?.kind === 'rotate' && <RotateForm {...rotation(step.item)} close={close} onCreated={reveal} />}
      {step?.kind === 'reveal' && (
        <NewSecret label={props.secretLabel} secret={step.secret} onDone={close}>
          {props.children}
        </NewSecret>
      )}
    </Modal>
  );
}

function titleOf<Item>(step: DialogStep<Item> | undefined, titles: SecretDialogProps<Item>['titles']): string {
  if (step === undefined) return '';
  return 'item' in step ? titles[step.kind](step.item) : titles[step.kind];
}

// The course of things that have a secret: one is made, changed or given a new secret in a dialogue, and a secret is shown once.
import { Modal, type ModalProps } from '@mantine/core';
import { useState, type ComponentType, type JSX, type ReactNode } from 'react';
import { ShownOnce } from './shown-once.tsx';

type Doing<Thing> =
  | { readonly what: 'make' }
  | { readonly what: 'edit' | 'rotate'; readonly of: Thing }
  | { readonly what: 'show'; readonly secret: string };

export interface Course<Thing> {
  readonly doing: Doing<Thing> | undefined;
  make(): void;
  edit(thing: Thing): void;
  rotate(thing: Thing): void;
  show(secret: string): void;
  close(): void;
}

export function useCourse<Thing>(): Course<Thing> {
  const [doing, setDoing] = useState<Doing<Thing>>();
  return {
    doing,
    make: () => setDoing({ what: 'make' }),
    edit: (of) => setDoing({ what: 'edit', of }),
    rotate: (of) => setDoing({ what: 'rotate', of }),
    show: (secret) => setDoing({ what: 'show', secret }),
    close: () => setDoing(undefined),
  };
}

interface StepProps {
  readonly close: () => void;
  /** With the secret that is shown next. */
  readonly onMade: (secret: string) => void;
}

export interface CourseDialogueProps<Thing> {
  readonly course: Course<Thing>;
  readonly titles: {
    readonly make: string;
    readonly edit: (thing: Thing) => string;
    readonly rotate: (thing: Thing) => string;
    readonly show: string;
  };
  /** Makes a thing, or changes the one that it is given. */
  readonly form: ComponentType<StepProps & { readonly of?: Thing }>;
  readonly formSize: NonNullable<ModalProps['size']>;
  readonly rotation: ComponentType<StepProps & { readonly of: Thing }>;
  /** What the secret is called, and below it what to do with it. */
  readonly secret: string;
  readonly children: ReactNode;
}

export function CourseDialogue<Thing>(props: CourseDialogueProps<Thing>): JSX.Element {
  const { course, titles, form: Form, formSize, rotation: Rotation } = props;
  const { doing, close, show } = course;
  return (
    <Modal
      opened={doing !== undefined}
      onClose={close}
      title={titleOf(doing, titles)}
      size={doing?.what === 'make' || doing?.what === 'edit' ? formSize : 'md'}
      // What was typed, or a secret that is shown once, is not lost by a click beside it.
      closeOnClickOutside={false}
    >
      {doing?.what === 'make' && <Form close={close} onMade={show} />}
      {doing?.what === 'edit' && <Form of={doing.of} close={close} onMade={show} />}
      {doing?.what === 'rotate' && <Rotation of={doing.of} close={close} onMade={show} />}
      {doing?.what === 'show' && (
        <ShownOnce label={props.secret} secret={doing.secret} onDone={close}>
          {props.children}
        </ShownOnce>
      )}
    </Modal>
  );
}

function titleOf<Thing>(doing: Doing<Thing> | undefined, titles: CourseDialogueProps<Thing>['titles']): string {
  if (doing === undefined) return '';
  return 'of' in doing ? titles[doing.what](doing.of) : titles[doing.what];
}

/**
 * The message field. Enter sends, and Shift+Enter adds a line; a key that ends an input method's composition does
 * neither. The text is stored per conversation until it is sent. Invariant: nothing is cut off; a text that is too
 * long stays in the field with its length, and is not sent.
 */
import { chatLimits, messageChars, parseMessage, pictureText } from '@fulcrum/domain';
import Paperclip from 'lucide-react/icons/paperclip';
import SendHorizontal from 'lucide-react/icons/send-horizontal';
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { getStored, removeStored, setStored } from '../../../shared/storage/index.ts';
import { Button, IconButton } from '../../../shared/ui/index.ts';
import { AttachmentPreview } from './AttachmentPreview.tsx';
import { findPicture, useAttachment } from './attachment.ts';
import { isSendKey } from './send-key.ts';
import type { Conversation } from './types.ts';

export interface ComposerHandle {
  /** Inserts a text at the caret and moves the caret behind it. */
  readonly insert: (text: string) => void;
  readonly focus: () => void;
}

export interface ComposerProps {
  readonly conversation: Conversation;
  readonly label: string;
  /** The reason why sending is disabled; null if it is enabled. */
  readonly disabledBecause?: string | null;
  /** Shown beneath the field, such as canned replies. */
  readonly tools?: ReactNode;
  /** Receives each key first; returns true when it has handled it. */
  readonly onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  /**
   * Why the message might not be wanted any more, given the last message when its first key was pressed. The first Send
   * shows it and the next one sends; null sends at once.
   */
  readonly getWarning?: (begunAtSeq: number) => string | null;
  readonly ref?: Ref<ComposerHandle>;
}

const messageMax = chatLimits.messageChars;
const countFrom = messageMax - 200;
const leastPx = 44;
const mostPx = 160;

/** The draft of a conversation, stored in this browser. */
function useDraft(key: string | null): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState({ key, text: key === null ? '' : (getStored(key) ?? '') });
  const shown = draft.key === key ? draft : { key, text: key === null ? '' : (getStored(key) ?? '') };
  if (shown !== draft) setDraft(shown);
  useEffect(() => {
    const { key: ofKey, text } = shown;
    if (ofKey === null) return;
    if (text === '') removeStored(ofKey);
    else setStored(ofKey, text);
  }, [shown]);
  const become = useCallback((text: string) => setDraft({ key, text }), [key]);
  return [shown.text, become];
}

export function Composer({
  conversation,
  label,
  disabledBecause = null,
  tools,
  onKey,
  getWarning,
  ref,
}: ComposerProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(conversation.draftKey);
  const length = messageChars(text.trim());
  const isTooLong = length > messageMax;
  const isDisabled = disabledBecause !== null;
  const { isFull } = conversation;
  const isBlank = parseMessage(text).kind === 'refused' && !isTooLong;
  const { attachment, attach, retry, remove } = useAttachment();
  const picture = useRef<HTMLInputElement>(null);
  const isUnready = attachment === null ? isBlank : attachment.state.kind !== 'ready';
  const cannotSend = isDisabled || isFull || isTooLong || isUnready;
  const lastSeq = conversation.messages.at(-1)?.seq ?? 0;
  /** The last message when the text was begun; null for an empty field. */
  const [begunAt, setBegunAt] = useState<number | null>(null);
  const [warning, setWarning] = useState<string | null>(null);
  // A stored draft counts from the opening of the conversation.
  if (isBlank && begunAt !== null) setBegunAt(null);
  if (!isBlank && begunAt === null && conversation.status === 'ready') setBegunAt(lastSeq);
  if (isBlank && warning !== null) setWarning(null);

  useImperativeHandle(ref, () => ({
    insert(inserted) {
      const element = field.current;
      const [from, to] = [element?.selectionStart ?? text.length, element?.selectionEnd ?? text.length];
      setText(text.slice(0, from) + inserted + text.slice(to));
      element?.focus();
      requestAnimationFrame(() => element?.setSelectionRange(from + inserted.length, from + inserted.length));
    },
    focus: () => field.current?.focus(),
  }));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    const border = element.offsetHeight - element.clientHeight;
    element.style.height = `${Math.min(mostPx, Math.max(leastPx, element.scrollHeight + border))}px`;
  }, [text]);

  const send = () => {
    if (cannotSend) return;
    const reason = warning === null && begunAt !== null ? (getWarning?.(begunAt) ?? null) : null;
    if (reason !== null) return setWarning(reason);
    const versionId = attachment?.state.kind === 'ready' ? attachment.state.versionId : null;
    conversation.send(isBlank && versionId !== null ? pictureText : text, versionId);
    remove();
    setText('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (onKey?.(event) || !isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  const attachFrom = (files: FileList | null): boolean => {
    const file = isDisabled ? null : findPicture(files);
    if (file === null) return false;
    attach(file);
    field.current?.focus();
    return true;
  };
  const dropTarget = {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      // The browser would leave the page for the file.
      event.preventDefault();
      attachFrom(event.dataTransfer.files);
    },
  };
  const attachButton = (
    <>
      <IconButton
        label="Attach a picture"
        aria-disabled={isDisabled || undefined}
        onClick={() => {
          if (!isDisabled) picture.current?.click();
        }}
        className={tools === undefined ? 'shrink-0' : ''}
      >
        <Paperclip size={18} aria-hidden="true" />
      </IconButton>
      <input
        ref={picture}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={({ target }) => {
          attachFrom(target.files);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
  const describedBy = [isDisabled ? `${id}-why` : null, length > countFrom ? `${id}-count` : null];
  const input = (
    <textarea
      ref={field}
      rows={1}
      aria-label={label}
      aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
      aria-invalid={isTooLong || undefined}
      // Stays in the tab order, so that a keyboard user finds the reason.
      readOnly={isDisabled}
      aria-disabled={isDisabled || undefined}
      placeholder="Type your message..."
      value={text}
      enterKeyHint="send"
      autoComplete="off"
      dir="auto"
      onChange={(event) => {
        setText(event.target.value);
        if (event.target.value.trim() !== '') conversation.typed();
      }}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        if (event.clipboardData.files.length > 0 && attachFrom(event.clipboardData.files))
          event.preventDefault();
      }}
      className={
        tools === undefined
          ? 'control block min-w-0 grow resize-none px-3.5 py-[11px] text-13 max-md:py-[9px] max-md:text-16'
          : 'block w-full resize-none bg-transparent px-3.5 py-3 text-13 outline-none max-md:text-16'
      }
    />
  );
  const button = (
    <Button
      tone="primary"
      // The press must not take the focus, or a phone would hide its keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onClick={send}
      muted={cannotSend}
      aria-describedby={isDisabled ? `${id}-why` : undefined}
      className={
        tools === undefined ? '!h-11 px-5 !text-14 !font-semibold' : '!h-8 font-semibold max-md:!h-11'
      }
    >
      Send
      {tools === undefined ? null : <SendHorizontal size={14} aria-hidden="true" />}
    </Button>
  );
  const notes = (
    <>
      {isDisabled ? (
        <p id={`${id}-why`} role="status" className="px-1 pb-1.5 text-12 text-text-2">
          {disabledBecause}
        </p>
      ) : null}
      {length > countFrom ? (
        <p
          id={`${id}-count`}
          role={isTooLong ? 'alert' : undefined}
          className={`figures px-1 pb-1.5 text-right text-12 ${isTooLong ? 'text-down' : 'text-text-2'}`}
        >
          {formatFigure(length, 0)} of {formatFigure(messageMax, 0)} characters
          {isTooLong ? ': shorten it to send it' : ''}
        </p>
      ) : null}
      {warning === null ? null : (
        <p role="alert" className="px-1 pb-1.5 text-12 text-warn">
          {warning}
        </p>
      )}
      {attachment === null ? null : (
        <AttachmentPreview attachment={attachment} onRetry={retry} onRemove={remove} />
      )}
      {isFull ? (
        <p role="alert" className="px-1 pb-1.5 text-12 text-text-2">
          Too many messages are waiting. You can send the next one after they are delivered.
        </p>
      ) : null}
    </>
  );
  if (tools === undefined) {
    return (
      <div {...dropTarget}>
        {notes}
        <div className="flex items-end gap-2">
          {attachButton}
          {input}
          {button}
        </div>
      </div>
    );
  }
  return (
    <div {...dropTarget}>
      {notes}
      <div className="rounded-panel border border-line-control bg-inset focus-within:border-accent focus-within:ring-4 focus-within:ring-accent-weak">
        {input}
        <div className="flex min-h-11 items-center gap-2 px-2 pb-1.5">
          {tools}
          {attachButton}
          <span className="ml-auto">{button}</span>
        </div>
      </div>
    </div>
  );
}

/** The look of the quick search, shared with the field that is there before it. */

export const searchPanelStyles =
  'fixed inset-x-4 top-[calc(var(--impersonation-height)+min(96px,10vh))] mx-auto flex max-h-[min(560px,calc(100dvh-var(--impersonation-height)-20vh))] max-w-[640px] flex-col overflow-hidden rounded-dialog border border-line-strong bg-raised shadow-raised max-md:inset-x-0 max-md:top-(--impersonation-height) max-md:bottom-0 max-md:max-h-none max-md:rounded-none max-md:border-0';
export const searchHeadStyles = 'flex h-14 shrink-0 items-center gap-3 border-b border-line px-4';
export const searchFieldStyles =
  'h-full min-w-0 grow bg-transparent text-16 text-text outline-none placeholder:text-text-3';

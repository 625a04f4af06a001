/** Tags of support's conversations. Apart from `chat.ts`, which the trader's chat loads. */
export { isReplyShortcut as isChatTag } from './canned-replies.ts';

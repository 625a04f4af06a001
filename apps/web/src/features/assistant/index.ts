/** The assistant (docs/assistant.md). Its panel loads when it is first opened. */
export const loadAssistantPanel = () => import('./AssistantPanel.tsx');

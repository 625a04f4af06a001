// Loads the third-party chart or ticker tape (A35) and reports to the page around it:
// { source: 'fulcrum-third-party', state: 'ready' | 'failed', reason: null | 'script' | 'widget' }
// `script`: it failed to load. `widget`: it loaded and created no widget. The embedding page has its own timeout.
(() => {
  const cdn = 'https://s3.tradingview.com';
  const scripts = {
    chart: `${cdn}/tv.js`,
    tape: `${cdn}/external-embedding/embed-widget-ticker-tape.js`,
  };
  // The seven names of the tape (A92), in their order.
  const tapeSymbols = [
    { proName: 'FOREXCOM:SPXUSD', title: 'S&P 500' },
    { proName: 'BITSTAMP:BTCUSD', title: 'Bitcoin' },
    { proName: 'BITSTAMP:ETHUSD', title: 'Ethereum' },
    { proName: 'TVC:USOIL', title: 'Crude Oil' },
    { proName: 'OANDA:XAUUSD', title: 'Gold' },
    { proName: 'FX_IDC:EURUSD', title: 'EUR/USD' },
    { proName: 'FOREXCOM:NSXUSD', title: 'Nasdaq 100' },
  ];
  const widgetWithinMs = 9000;

  const params = new URLSearchParams(location.search);
  const kind = params.get('kind') === 'tape' ? 'tape' : 'chart';
  const theme = params.get('theme') === 'light' ? 'light' : 'dark';
  const container = document.getElementById('widget');

  let reported = false;
  const report = (state, reason = null) => {
    if (reported) return;
    reported = true;
    // This page has an opaque origin, so no target origin is possible; the message contains nothing confidential.
    parent.postMessage({ source: 'fulcrum-third-party', state, reason }, '*');
  };

  // A widget is ready once the frame it creates has loaded.
  const observeWidget = () => {
    const ready = () => {
      const frame = container.querySelector('iframe');
      if (!frame) return false;
      frame.addEventListener('load', () => report('ready'));
      return true;
    };
    if (ready()) return;
    const observer = new MutationObserver(() => {
      if (ready()) observer.disconnect();
    });
    observer.observe(container, { childList: true, subtree: true });
  };

  const showChart = () => {
    if (typeof globalThis.TradingView?.widget !== 'function') return report('failed', 'widget');
    observeWidget();
    try {
      new globalThis.TradingView.widget({
        container_id: 'widget',
        autosize: true,
        symbol: params.get('symbol') ?? 'BINANCE:BTCUSDT',
        interval: params.get('interval') ?? '15',
        timezone: 'Etc/UTC',
        theme,
        style: '1',
        locale: 'en',
        allow_symbol_change: false,
        hide_side_toolbar: false,
        studies: ['RSI@tv-basicstudies', 'MASimple@tv-basicstudies', 'MACD@tv-basicstudies'],
      });
    } catch {
      report('failed', 'widget');
    }
  };

  const script = document.createElement('script');
  script.src = scripts[kind];
  script.addEventListener('error', () => report('failed', 'script'));
  if (kind === 'tape') {
    // The tape reads its settings from its own element and puts its frame beside it.
    script.textContent = JSON.stringify({
      symbols: tapeSymbols,
      showSymbolLogo: false,
      isTransparent: true,
      displayMode: 'adaptive',
      colorTheme: theme,
      locale: 'en',
    });
    const inner = document.createElement('div');
    inner.className = 'tradingview-widget-container__widget';
    container.className = 'tradingview-widget-container';
    container.append(inner, script);
    observeWidget();
  } else {
    script.addEventListener('load', showChart);
    document.head.append(script);
  }
  setTimeout(() => report('failed', script.dataset.loaded ? 'widget' : 'script'), widgetWithinMs);
  script.addEventListener('load', () => {
    script.dataset.loaded = 'true';
  });
})();

/**
 * The declarations of tRPC 11.19 mention the server of WebSockets, in a form that @types/ws does not have. No browser
 * needs it; the compiler looks at it because it checks the declarations of libraries too.
 */
declare module 'ws' {
  namespace ws {
    class WebSocket {}
    class WebSocketServer {}
  }
  export default ws;
}

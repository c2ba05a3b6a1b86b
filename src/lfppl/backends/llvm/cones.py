"""stub"""
def write(module, ready):
    for n,sig in (("move",["ptr","i64","double"]),("undo",["ptr"]),("sweep",["ptr","i64","double","ptr","ptr","ptr"])):
        fn=module.function(f"lfppl_{n}","i64" if n=="undo" else "double",sig,public=True)
        fn.finish("0" if n=="undo" else "0x0000000000000000")
